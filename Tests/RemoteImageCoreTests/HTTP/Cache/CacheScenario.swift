// What a cache is asked, what its server says, and what must come of it: cases that run over any
// transport.

import HTTPTypes
import Testing

@testable import RemoteImageCore

/// A case of RFC 9111 and its neighbours: requests of one address, one after another.
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
        /// The clock is turned before, in seconds; back where it is negative, as a user may.
        var time: Double = 0
        var request: Fields = [:]
        var policy = CachePolicy.http
        /// What the server is asked before the answer comes and behind it, all told: neither more
        /// nor less.
        var server: [Reply] = []
        var answer: Answer
        /// What the answer says; empty for a field that it must not have.
        var says: Fields = [:]
        /// What the server is told with the last of its requests; empty for what it must not be
        /// told.
        var tells: Fields = [:]
    }
}

extension CacheScenario.Step {
    /// Nothing is stored yet: a response with the body `1` is.
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
    /// Names that are none are left out.
    init(_ fields: CacheScenario.Fields) {
        self.init()
        for (name, value) in fields {
            if let name = HTTPField.Name(name) { append(HTTPField(name: name, value: value)) }
        }
    }
}
