import Testing

@testable import RemoteImageCore

@Suite struct ImageErrorTests {
    @Test(arguments: [
        (401, "Access to the image was denied (401)"), (403, "Access to the image was denied (403)"),
        (404, "The image was not found (404)"), (410, "The image was not found (410)"),
        (429, "The server received too many requests (429)"), (500, "The server has a problem (500)"),
        (599, "The server has a problem (599)"), (418, "The server did not return the image (418)"),
    ])
    func `the message describes the HTTP status of the response`(status: Int, message: String) {
        #expect(ImageError.httpStatus(status).message == message)
    }

    @Test func `the description adds the code and the detail to the message`() {
        let error = ImageError(.tls, "example.org: certificate has expired")
        #expect(error.message == "A secure connection could not be established")
        #expect(
            error.description
                == "tls: A secure connection could not be established: example.org: certificate has expired")
    }

    @Test func `an empty detail is omitted from the description`() {
        #expect(ImageError(.timeout, "").description == "timeout: The server took too long")
    }

    @Test func `a sentence of the program takes the place of that of the code`() {
        let error = ImageError(.source, "a detail", message: "Not for you")
        #expect(error.message == "Not for you")
        #expect(error.detailedMessage == "Not for you: a detail")
        #expect(error != ImageError(.source, "a detail"))
        #expect(ImageError(.source, message: "").message == ImageError(.source).message)
        #expect(ImageError.ofFallbacks([.httpStatus(404), error]).message == "Not for you")
    }
}
