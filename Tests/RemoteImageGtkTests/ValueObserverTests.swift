import CRemoteImageGtk
import Observation
import XCTest

@testable import GtkDeclarations
@testable import RemoteImageGtk

@Observable
private final class Values {
    var first = 0
    var second = 0
}

/// When closures run again that read observable values, and in which order.
final class ValueObserverTests: XCTestCase {
    func testObserversRunInTheOrderOfTheirCreationOnceForAllChanges() {
        GtkFixture.run { test in
            let values = Values()
            var log: [String] = []
            let observers = [ValueObserver(), ValueObserver(), ValueObserver()]
            for index in [2, 0, 1] {
                observers[index].observe {
                    let sum = values.first + values.second
                    return { log.append("\(index): \(sum)") }
                }
            }
            XCTAssertEqual(log, ["2: 0", "0: 0", "1: 0"])
            log = []
            (values.first, values.second) = (3, 4)
            XCTAssertEqual(log, [])
            test.settle()
            XCTAssertEqual(log, ["0: 7", "1: 7", "2: 7"])
            values.first = 5
            test.settle()
            XCTAssertEqual(log.suffix(3), ["0: 9", "1: 9", "2: 9"])
        }
    }

    func testAPausedObserverRunsAgainOnceItResumes() {
        GtkFixture.run { test in
            let values = Values()
            var log: [Int] = []
            let observer = ValueObserver()
            observer.resume()
            observer.observe {
                let value = values.first
                return { log.append(value) }
            }
            observer.resume()
            XCTAssertEqual(log, [0], "it was not paused")
            values.first = 1
            observer.pause()
            XCTAssertTrue(observer.isPaused)
            test.settle()
            values.first = 2
            test.settle()
            XCTAssertEqual(log, [0])
            observer.resume()
            XCTAssertFalse(observer.isPaused)
            XCTAssertEqual(log, [0, 2])
            values.first = 3
            test.settle()
            XCTAssertEqual(log, [0, 2, 3])
        }
    }

    func testValuesThatOnlyAnEarlierClosureReadRunNothing() {
        GtkFixture.run { test in
            let values = Values()
            var log: [String] = []
            let observer = ValueObserver()
            observer.observe {
                let value = values.first
                return { log.append("first \(value)") }
            }
            observer.observe {
                let value = values.second
                return { log.append("second \(value)") }
            }
            values.first = 1
            test.settle()
            XCTAssertEqual(log, ["first 0", "second 0"])
            values.second = 1
            test.settle()
            XCTAssertEqual(log, ["first 0", "second 0", "second 1"])
        }
    }

    /// A container declares its children again, which then do not run for the same change.
    func testAnObserverThatAnotherOneHasRunDoesNotRunAgain() {
        GtkFixture.run { test in
            let values = Values()
            var log: [String] = []
            let (outer, inner) = (ValueObserver(), ValueObserver())
            outer.observe {
                let value = values.first
                return {
                    inner.observe {
                        let own = values.first
                        return { log.append("\(value) \(own)") }
                    }
                }
            }
            XCTAssertEqual(log, ["0 0"])
            values.first = 1
            test.settle()
            XCTAssertEqual(log, ["0 0", "1 1"])
        }
    }

    func testAnObserverThatBeginsInAClosureReadsItsValuesAlone() {
        GtkFixture.run { test in
            let values = Values()
            var log: [String] = []
            let (outer, inner) = (ValueObserver(), ValueObserver())
            outer.observe {
                let value = values.first
                inner.observe {
                    let own = values.second
                    return { log.append("inner \(own)") }
                }
                return { log.append("outer \(value)") }
            }
            XCTAssertEqual(log, ["inner 0", "outer 0"])
            log = []
            values.second = 1
            test.settle()
            XCTAssertEqual(log, ["inner 1"])
            values.first = 1
            test.settle()
            XCTAssertEqual(log, ["inner 1", "inner 1", "outer 1"])
        }
    }

    func testAClosureThatReplacesItselfAppliesNothing() {
        GtkFixture.run { _ in
            var log: [String] = []
            let observer = ValueObserver()
            observer.observe { [unowned observer] in
                observer.observe { { log.append("new") } }
                return { log.append("old") }
            }
            XCTAssertEqual(log, ["new"])
        }
    }

    func testAnObservedSettingThatIsNotDeclaredAgainEnds() throws {
        try GtkFixture.run { test in
            let values = Values()
            var log: [String] = []
            let one = DeclaredWidget("Test") { Widget(gtk_label_new(nil)) }
                .observing({ values.first }) { _, value in log.append("first \(value)") }
            let both = one.observing({ values.second }) { _, value in log.append("second \(value)") }
            let widget = test.watch(WidgetNode.makeWidget(both), "the widget")
            XCTAssertEqual(log, ["first 0", "second 0"])
            let node = try XCTUnwrap(WidgetNode.of(widget))
            node.update(to: one)
            XCTAssertEqual(log, ["first 0", "second 0", "first 0"])
            log = []
            values.second = 1
            test.settle()
            XCTAssertEqual(log, [])
            values.first = 2
            test.settle()
            XCTAssertEqual(log, ["first 2"])
            node.update(to: both)
            values.second = 3
            test.settle()
            XCTAssertEqual(log, ["first 2", "first 2", "second 1", "second 3"])
        }
    }
}
