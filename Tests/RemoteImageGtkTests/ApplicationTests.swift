import CRemoteImageGtk
import Observation
import RemoteImageTestSupport
import XCTest

@testable import GtkDeclarations
@testable import RemoteImageGtk

@Observable
private final class Model {
    var title = "first"
    var hasSecond = false
    var names = ["a", "b"]
}

final class ApplicationTests: XCTestCase {
    func testAnApplicationRunsUntilItsLastWindowIsClosed() {
        GtkFixture.run { test in
            let model = Model()
            var titles: [[String]] = []
            let status = start(Application("org.example.First")) {
                Window(model.title, width: 100, height: 80) { Label("one") }
                if model.hasSecond { Window("second") { Label("two") } }
            } during: {
                test.turn { windowTitles() == ["first"] }
                (model.title, model.hasSecond) = ("changed", true)
                test.turn { windowTitles() == ["changed", "second"] }
                closeWindow("changed")
                titles.append(windowTitles())
                model.title = "again"
                test.settle()
                titles.append(windowTitles())
                model.hasSecond = false
            }
            XCTAssertEqual(status, 0)
            XCTAssertEqual(titles, [["second"], ["second"]], "a closed window stays closed")
        }
    }

    func testActivationShowsAClosedWindowAgain() {
        GtkFixture.run { test in
            let model = Model()
            model.hasSecond = true
            _ = start(Application("org.example.Again")) {
                Window("first") { Label("one") }
                if model.hasSecond { Window("second") { Label("two") } }
            } during: {
                test.turn { windowTitles() == ["first", "second"] }
                closeWindow("first")
                g_application_activate(g_application_get_default())
                test.turn { windowTitles() == ["first", "second"] }
                closeWindow("first")
                closeWindow("second")
            }
        }
    }

    func testTheOtherWindowsOfALoopStayWhenOneIsClosed() {
        GtkFixture.run { test in
            let model = Model()
            var after: [String] = []
            _ = start(Application("org.example.Loop")) {
                for name in model.names {
                    Window(name) { Label("one") }.id(name)
                        .onClose {
                            model.names.removeAll { $0 == name }
                            return false
                        }
                }
            } during: {
                test.turn { windowTitles() == ["a", "b"] }
                closeWindow("a")
                test.settle()
                after = windowTitles()
                closeWindow("b")
            }
            XCTAssertEqual(after, ["b"])
        }
    }

    func testAWindowMayStayOpen() {
        GtkFixture.run { test in
            let model = Model()
            var questionCount = 0
            _ = start(Application("org.example.Question")) {
                Window("first") { Label("one") }.onClose {
                    questionCount += 1
                    return questionCount == 1
                }
            } during: {
                test.turn { windowTitles() == ["first"] }
                closeWindow("first")
                XCTAssertEqual(windowTitles(), ["first"])
                closeWindow("first")
            }
            XCTAssertEqual(questionCount, 2)
            XCTAssertFalse(model.hasSecond)
        }
    }

    func testFilesAreOpenedAfterTheWindowsAreShown() {
        GtkFixture.run { test in
            let opened = Lock<[String]>([])
            let application = Application("org.example.Open").onOpen { addresses in opened.withLock { $0 = addresses } }
            _ = start(application, ["program", "/tmp/a cat.png", "https://example.org/dog.png"]) {
                Window("first") { Label("one") }
            } during: {
                test.turn { windowTitles() == ["first"] }
                closeWindow("first")
            }
            XCTAssertEqual(opened.withLock(\.self), ["file:///tmp/a%20cat.png", "https://example.org/dog.png"])
        }
    }

    func testTheCommandLineDecidesTheStatus() {
        GtkFixture.run { test in
            let received = Lock<[String]>([])
            let application = Application("org.example.Line").onCommandLine { arguments in
                received.withLock { $0 = arguments }
                return 7
            }
            let status = start(application, ["program", "--size", "3"]) {
                Window("never") { Label("one") }
            } during: {
            }
            XCTAssertEqual(status, 7)
            XCTAssertEqual(received.withLock(\.self), ["--size", "3"])
        }
    }

    func testAClosedWindowIsShownWhenItIsDeclaredAgain() {
        GtkFixture.run { test in
            let model = Model()
            model.hasSecond = true
            _ = start(Application("org.example.Declared")) {
                Window("first") { Label("one") }
                if model.hasSecond { Window("second") { Label("two") } }
            } during: {
                test.turn { windowTitles() == ["first", "second"] }
                closeWindow("second")
                XCTAssertEqual(windowTitles(), ["first"])
                model.hasSecond = false
                test.settle()
                model.hasSecond = true
                test.turn { windowTitles() == ["first", "second"] }
                closeWindow("first")
                closeWindow("second")
            }
        }
    }

    func testAnApplicationThatQuitsClosesItsWindowsAndOpensNoOthers() {
        GtkFixture.run { test in
            let model = Model()
            var runCount = 0
            var application: ObjectReference?
            _ = start(Application("org.example.Quit")) {
                let _ = runCount += 1
                Window(model.title) { Label("one") }
                if model.hasSecond { Window("second") { Label("two") } }
            } during: {
                test.turn { windowTitles() == ["first"] }
                application = g_application_get_default().map { ObjectReference(borrowing: $0) }
                g_application_quit(g_application_get_default())
            }
            XCTAssertNotNil(application)
            XCTAssertEqual(windowTitles(), [])
            model.hasSecond = true
            test.settle()
            XCTAssertEqual(windowTitles(), [])
            XCTAssertEqual(runCount, 1)
            // It is the default application of the process until it is released.
            application = nil
            test.settle()
        }
    }

    /// The shared pipeline of a state that was made earlier did not know the id.
    func testTheStateIsMadeOnceByTheFirstActivation() {
        GtkFixture.run { test in
            var names: [String] = []
            let timer = MainLoopTimer()
            timer.start(after: .zero) {
                test.turn { windowTitles() == ["first"] }
                g_application_activate(g_application_get_default())
                closeWindow("first")
            }
            let running = RunningApplication(Application("org.example.State")) {
                names.append(ImagePipeline.applicationName)
                return { [Window("first") { Label("one") }.declaration] }
            }
            XCTAssertEqual(names, [])
            XCTAssertEqual(running.run(["program"]), 0)
            XCTAssertEqual(names, ["org.example.State"])
        }
    }

    func testAnApplicationHasTheFlagsOfItsHandlers() {
        GtkFixture.run { test in
            let applications = [
                Application("org.example.Plain"), Application("org.example.Several", isUnique: false),
                Application("org.example.Files").onOpen { _ in },
                Application("org.example.Arguments", isUnique: false).onCommandLine { _ in 0 },
            ]
            var flags: [GApplicationFlags.RawValue] = []
            for application in applications {
                _ = start(application, ["program"]) {
                    Window("first") { Label("one") }
                } during: {
                    test.turn { windowTitles() == ["first"] }
                    flags.append(g_application_get_flags(g_application_get_default()).rawValue)
                    closeWindow("first")
                }
            }
            let (several, files, arguments) = (
                shim_application_non_unique.rawValue, shim_application_handles_open.rawValue,
                shim_application_handles_command_line.rawValue
            )
            XCTAssertEqual(flags, [0, several, files, several | arguments])
        }
    }

    func testTheWindowsAreThereWhenFilesAreOpened() {
        GtkFixture.run { test in
            let shown = Lock<[String]>([])
            let application = Application("org.example.Shown").onOpen { _ in
                let titles = windowTitles()
                shown.withLock { $0 = titles }
            }
            _ = start(application, ["program", "/tmp/a.png"]) {
                Window("first") { Label("one") }
            } during: {
                test.turn { windowTitles() == ["first"] }
                closeWindow("first")
            }
            XCTAssertEqual(shown.withLock(\.self), ["first"])
        }
    }
}
