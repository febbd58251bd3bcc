// Test cases of the HTTP cache: requests, the server's replies and the expected answers. They run
// over any transport.

import HTTPTypes
import Testing

@testable import RemoteImageCore

/// A case of RFC 9111 or a related RFC: requests for one address, in order.
struct CacheScenario: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let steps: [Step]

    init(_ name: String, _ steps: Step...) {
        testDescription = name
        self.steps = steps
    }

    typealias Fields = KeyValuePairs<String, String>

    /// What a server does with a request.
    enum Reply: Sendable {
        case response(Int, Fields, String)
        /// The server is unreachable.
        case silence

        static func ok(_ body: String, _ fields: Fields = [:]) -> Reply { .response(200, fields, body) }
        static func notModified(_ fields: Fields = [:]) -> Reply { .response(304, fields, "") }
    }

    /// What the caller receives.
    enum Answer: Sendable, Equatable {
        case network(String, status: Int = 200)
        case disk(String, status: Int = 200)
        case stale(String)
        case revalidated(String)
        /// A 504 of the cache's own.
        case generated
        case failure(ImageError.Code)
    }

    /// One request.
    struct Step: Sendable {
        /// The seconds by which the clock advances before the request. Negative values set it back,
        /// as a user may.
        var time: Double = 0
        var request: Fields = [:]
        var policy = CachePolicy.http
        /// The server's replies to all requests of this step, background validation included. Their
        /// number must match.
        var server: [Reply] = []
        var answer: Answer
        /// The fields expected in the answer; an empty value stands for an absent field.
        var says: Fields = [:]
        /// The fields expected in the step's last request; an empty value stands for an absent
        /// field.
        var tells: Fields = [:]
    }
}

extension CacheScenario.Step {
    /// Stores a response with the body `1` in an empty store.
    static func store(_ fields: CacheScenario.Fields) -> Self {
        Self(server: [.ok("1", fields)], answer: .network("1"))
    }

    static func ask(
        after time: Double = 0, _ request: CacheScenario.Fields = [:], policy: CachePolicy = .http,
        server: CacheScenario.Reply..., gives answer: CacheScenario.Answer, saying says: CacheScenario.Fields = [:],
        telling tells: CacheScenario.Fields = [:]
    ) -> Self {
        Self(
            time: time, request: request, policy: policy, server: server, answer: answer, says: says, tells: tells)
    }
}

extension HTTPFields {
    /// Leaves out invalid field names.
    init(_ fields: CacheScenario.Fields) {
        self.init()
        for (name, value) in fields {
            if let name = HTTPField.Name(name) { append(HTTPField(name: name, value: value)) }
        }
    }
}
