#!/usr/bin/env -S gjs -m
// A photo browser: the images of the command line in a grid.
//
//   gjs -m browser.js URI…

import Gio from 'gi://Gio';
import Gtk from 'gi://Gtk?version=4.0';
import RemoteImage from 'gi://RemoteImage?version=1';
import {exit, programArgs, programInvocationName} from 'system';

function image(uri) {
    return new RemoteImage.View({
        uri,
        content_fit: Gtk.ContentFit.COVER,
        corner_radius: 12,
        placeholder_icon_name: 'image-loading-symbolic',
        width_request: 160,
        height_request: 120,
    });
}

function openWindow(application, uris) {
    const box = new Gtk.FlowBox({
        selection_mode: Gtk.SelectionMode.NONE,
        min_children_per_line: 3,
        max_children_per_line: 3,
        valign: Gtk.Align.START,
    });
    for (const uri of uris)
        box.append(image(uri));
    const window = new Gtk.ApplicationWindow({
        application,
        title: 'Photos',
        default_width: 560,
        default_height: 420,
        child: new Gtk.ScrolledWindow({child: box}),
    });
    window.present();
}

if (programArgs.length === 0) {
    printerr(`usage: ${programInvocationName} URI…`);
    exit(64);
}
const application = new Gtk.Application({
    application_id: 'org.example.Photos',
    flags: Gio.ApplicationFlags.NON_UNIQUE,
});
application.connect('activate', () => openWindow(application, programArgs));
application.run([programInvocationName]);
