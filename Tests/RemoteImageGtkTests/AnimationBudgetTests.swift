import XCTest

@testable import RemoteImageGtk

/// The memory that all animations share.
final class AnimationBudgetTests: XCTestCase {
    /// A budget of 100 bytes, and the claims that it admitted and revoked.
    @MainActor
    private final class Trial {
        let budget = AnimationBudget(byteCount: 100)
        var events: [String] = []
        /// A claim that ends when another one is admitted.
        var second: AnimationBudget.Claim?

        func claim(_ name: String, _ byteCount: Int) -> AnimationBudget.Claim {
            budget.claim(
                byteCount, admitted: { self.events.append(name) }, revoked: { self.events.append("-\(name)") })
        }
    }

    func testClaimsAreAdmittedInTheOrderOfTheirArrival() {
        MainActor.assumeIsolated {
            let trial = Trial()
            let (a, b) = (trial.claim("a", 60), trial.claim("b", 40))
            let rest = [trial.claim("c", 50), trial.claim("d", 50)]
            XCTAssertEqual(trial.events, ["a", "b"])
            XCTAssertEqual(trial.budget.waitingCount, 2)
            trial.budget.end(a)
            XCTAssertEqual(trial.events, ["a", "b", "c"])
            trial.budget.end(b)
            XCTAssertEqual(trial.events, ["a", "b", "c", "d"])
            for claim in rest { trial.budget.end(claim) }
            XCTAssertEqual(trial.budget.heldByteCount, 0)
        }
    }

    func testAReducedClaimMakesRoom() {
        MainActor.assumeIsolated {
            let trial = Trial()
            let a = trial.claim("a", 100)
            let b = trial.claim("b", 70)
            XCTAssertFalse(b.isHeld)
            trial.budget.shrink(a, to: 31)
            XCTAssertFalse(b.isHeld)
            trial.budget.shrink(a, to: 30)
            XCTAssertTrue(b.isHeld)
            trial.budget.shrink(a, to: 90)
            XCTAssertEqual(trial.budget.heldByteCount, 100)
        }
    }

    func testAnAnimationLargerThanTheBudgetPlaysAlone() {
        MainActor.assumeIsolated {
            let trial = Trial()
            let small = trial.claim("small", 1)
            let large = trial.claim("large", 500)
            XCTAssertFalse(large.isHeld)
            trial.budget.end(small)
            XCTAssertTrue(large.isHeld)
            let other = trial.claim("other", 1)
            XCTAssertFalse(other.isHeld)
            trial.budget.end(large)
            XCTAssertTrue(other.isHeld)
        }
    }

    /// Small animations that come and go would otherwise keep a large one waiting forever.
    func testALargeClaimIsOvertakenOnlySomeTimes() {
        MainActor.assumeIsolated {
            let trial = Trial()
            var last = trial.claim("first", 60)
            let large = trial.claim("large", 90)
            for number in 0..<AnimationBudget.maxPassCount {
                let next = trial.claim("\(number)", 40)
                XCTAssertTrue(next.isHeld)
                trial.budget.end(last)
                last = next
            }
            let late = trial.claim("late", 1)
            XCTAssertFalse(late.isHeld)
            trial.budget.end(last)
            XCTAssertTrue(large.isHeld)
            XCTAssertTrue(late.isHeld)
        }
    }

    func testAPausingClaimGivesWayOnlyWhenItsMemoryIsNeeded() {
        MainActor.assumeIsolated {
            let trial = Trial()
            let (a, b) = (trial.claim("a", 50), trial.claim("b", 40))
            trial.budget.setPausing(a, true)
            trial.budget.setPausing(b, true)
            let small = trial.claim("small", 10)
            XCTAssertEqual(trial.events, ["a", "b", "small"])
            let large = trial.claim("large", 50)
            XCTAssertEqual(trial.events, ["a", "b", "small", "-a", "large"])
            XCTAssertTrue(b.isHeld)
            trial.budget.setPausing(b, false)
            let last = trial.claim("last", 10)
            XCTAssertFalse(last.isHeld)
            trial.budget.setPausing(b, true)
            XCTAssertEqual(trial.events, ["a", "b", "small", "-a", "large", "-b", "last"])
            for claim in [small, large, last] { trial.budget.end(claim) }
        }
    }

    func testAClaimThatEndsWhileItWaitsIsNotAdmitted() {
        MainActor.assumeIsolated {
            let trial = Trial()
            let a = trial.claim("a", 100)
            let b = trial.claim("b", 100)
            trial.budget.end(b)
            trial.budget.end(a)
            XCTAssertEqual(trial.events, ["a"])
        }
    }

    func testTheFirstWaitingClaimIsOvertakenSixteenTimes() {
        MainActor.assumeIsolated {
            let trial = Trial()
            let first = trial.claim("first", 60)
            let waiting = [trial.claim("large", 90), trial.claim("larger", 95)]
            for number in 0..<16 {
                let next = trial.claim("\(number)", 40)
                XCTAssertTrue(next.isHeld, "\(number)")
                trial.budget.end(next)
            }
            XCTAssertFalse(trial.claim("late", 1).isHeld)
            XCTAssertEqual(trial.budget.waitingCount, 3)
            trial.budget.end(first)
            XCTAssertEqual(waiting.map(\.isHeld), [true, false], "in the order of their arrival")
        }
    }

    func testAClaimThatWaitsOrHasEndedDoesNotPause() {
        MainActor.assumeIsolated {
            let trial = Trial()
            let (a, b) = (trial.claim("a", 100), trial.claim("b", 50))
            trial.budget.setPausing(b, true)
            XCTAssertFalse(b.isHeld)
            trial.budget.setPausing(b, false)
            XCTAssertFalse(b.isHeld)
            XCTAssertEqual(trial.budget.heldByteCount, 100)
            trial.budget.end(a)
            trial.budget.setPausing(a, true)
            XCTAssertFalse(a.isHeld)
            XCTAssertEqual(trial.budget.heldByteCount, 50)
            XCTAssertEqual(trial.events, ["a", "b"])
        }
    }

    /// Only as many pausing claims are revoked as the new one needs.
    func testPausingClaimsAreRevokedInTheirOrderUntilThereIsRoom() {
        MainActor.assumeIsolated {
            let trial = Trial()
            let claims = ["a", "b", "c"].map { trial.claim($0, 30) }
            for claim in claims { trial.budget.setPausing(claim, true) }
            _ = trial.claim("d", 41)
            XCTAssertEqual(trial.events, ["a", "b", "c", "-a", "-b", "d"])
            XCTAssertEqual(claims.map(\.isHeld), [false, false, true])
            XCTAssertEqual(trial.budget.heldByteCount, 71)
            // One that plays is not revoked, whatever the others pause.
            XCTAssertFalse(trial.claim("e", 60).isHeld)
            XCTAssertTrue(claims[2].isHeld)
        }
    }

    func testAClaimThatEndsBeforeItsCallIsNotAdmitted() {
        MainActor.assumeIsolated {
            let trial = Trial()
            let first = trial.claim("first", 100)
            let a = trial.budget.claim(
                50,
                admitted: {
                    trial.events.append("a")
                    if let second = trial.second { trial.budget.end(second) }
                }, revoked: {})
            trial.second = trial.claim("second", 50)
            trial.budget.end(first)
            XCTAssertEqual(trial.events, ["first", "a"])
            XCTAssertEqual([a.isHeld, trial.second?.isHeld], [true, false])
            XCTAssertEqual(trial.budget.heldByteCount, 50)
        }
    }

    func testAnAnimationLargerThanTheBudgetRevokesThePausingOnesOnceNoneIsPlaying() {
        MainActor.assumeIsolated {
            let trial = Trial()
            let claims = ["a", "b", "c"].map { trial.claim($0, 30) }
            for claim in claims.dropFirst() { trial.budget.setPausing(claim, true) }
            let large = trial.claim("large", 500)
            XCTAssertEqual(claims.map(\.isHeld), [true, true, true], "it would not fit in their place")
            trial.budget.setPausing(claims[0], true)
            XCTAssertEqual(trial.events, ["a", "b", "c", "-a", "-b", "-c", "large"])
            XCTAssertEqual(trial.budget.heldByteCount, 500)
            trial.budget.end(large)
            XCTAssertEqual(trial.budget.waitingCount, 0)
        }
    }
}
