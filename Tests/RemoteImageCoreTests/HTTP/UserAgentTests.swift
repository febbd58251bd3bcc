import Testing

@testable import RemoteImageCore

@Suite("The user agent")
struct UserAgentTests {
    @Test(
        "The name of a program becomes a product token",
        arguments: [("gallery", "gallery"), ("My Gallery (2)", "My-Gallery--2-"), ("gälerie", "g--lerie"), ("", "")])
    func product(name: String, token: String) {
        #expect(UserAgent.product(name) == token)
    }

    @Test("The user agent names the program and the library")
    func standard() {
        let products = UserAgent.standard.split(separator: " ")
        #expect(products.count == 2)
        #expect(products.last == "RemoteImage/\(LibraryVersion.string)")
    }
}
