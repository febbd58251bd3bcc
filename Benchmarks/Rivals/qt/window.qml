// Qt Quick's Image, asynchronous, with sourceSize as its limit, as Qt's documentation recommends
// for images of unknown size.
//
//   qmlscene window.qml
//
// Reads urls.txt in the same folder, one address a line, which requires QML_XHR_ALLOW_FILE_READ=1.
import QtQuick 2.15
import QtQuick.Window 2.15

Window {
    id: window
    width: 1280
    height: 1000
    visible: true

    property int size: 320
    property var addresses: []
    property int succeeded: 0
    property int failed: 0
    property int frames: 0

    function settle(status) {
        if (status === Image.Ready) succeeded++
        else if (status === Image.Error) failed++
    }

    Component.onCompleted: {
        const request = new XMLHttpRequest()
        request.open("GET", Qt.resolvedUrl("urls.txt"), false)
        request.send()
        addresses = request.responseText.trim().split("\n")
    }

    // Two frames after the last image has loaded, all images have been drawn.
    onFrameSwapped: {
        if (addresses.length === 0 || succeeded + failed < addresses.length) return
        if (++frames < 2) return
        console.log(JSON.stringify({ succeeded: succeeded, failed: failed }))
        Qt.quit()
    }

    Timer {
        // An offscreen window draws a frame only if something changes.
        interval: 4
        repeat: true
        running: window.addresses.length > 0 && window.succeeded + window.failed >= window.addresses.length
        onTriggered: window.update()
    }

    Flickable {
        anchors.fill: parent
        contentHeight: grid.height

        Grid {
            id: grid
            columns: 4

            Repeater {
                model: window.addresses

                Image {
                    width: window.size
                    height: window.size * 3 / 4
                    asynchronous: true
                    cache: false
                    fillMode: Image.PreserveAspectFit
                    sourceSize: Qt.size(window.size, window.size)
                    source: modelData
                    onStatusChanged: window.settle(status)
                    Component.onCompleted: if (status === Image.Ready || status === Image.Error) window.settle(status)
                }
            }
        }
    }
}
