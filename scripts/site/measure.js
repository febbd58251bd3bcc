// Measures a page of the site, for scripts/check-site.py. `wide` names elements that are wider than
// the window, for the message.
(() => {
  const brightness = colour => {
    const [r, g, b, a] = colour.match(/[\d.]+/g).map(Number);
    return a === 0 ? null : (0.2126 * r + 0.7152 * g + 0.0722 * b) / 255;
  };
  const heading = [...document.querySelectorAll("h1")].find(h => h.innerText.trim());
  let back = null;
  for (let node = heading; node && back === null; node = node.parentElement)
    back = brightness(getComputedStyle(node).backgroundColor);
  const scheme = matchMedia("(prefers-color-scheme: dark)").matches ? 0.05 : 1;
  const root = document.documentElement;
  const inScrolled = node => { for (let n = node.parentElement; n; n = n.parentElement)
    if (getComputedStyle(n).overflowX !== "visible") return true; return false; };
  return {
    title: document.title, heading: heading ? heading.textContent.trim() : "",
    text: document.body.innerText.trim().length,
    contrast: heading ? Math.abs(brightness(getComputedStyle(heading).color) - (back ?? scheme)) : 0,
    isWide: root.scrollWidth > innerWidth,
    wide: root.scrollWidth > innerWidth ? [...document.querySelectorAll("body *")].filter(node =>
      node.getBoundingClientRect().right > innerWidth + 1 && !inScrolled(node)).slice(0, 3)
      .map(node => node.tagName + "." + (node.getAttribute("class") || "")) : [],
    // The buttons of gi-docgen's pages are links to nothing.
    links: [...document.querySelectorAll("a[href]:not(.collapse-toggle)")].map(a => a.href),
    ids: [...document.querySelectorAll("[id], a[name]")].map(node => node.id || node.name),
    broken: [...document.images].filter(image => image.complete && image.naturalWidth === 0
      && image.getAttribute("src")).map(image => image.src),
  };
})()
