import Adwaita
import RemoteImageGtk

/// A view of an image with an address.
struct RemoteImage: AdwaitaWidget {
    let address: String

    func container<Data: ViewRenderData>(data: WidgetData, type: Data.Type) -> ViewStorage {
        let storage = ViewStorage(nil, state: self)
        let address = address
        // Never leaves this call, which is on the main thread.
        nonisolated(unsafe) let created = storage
        MainActor.assumeIsolated {
            created.pointer = OpaquePointer(RemoteImageView(NetworkImage(address).contentFit(.cover)).pointer)
        }
        return storage
    }

    func update<Data: ViewRenderData>(
        _ storage: ViewStorage, data: WidgetData, updateProperties: Bool, type: Data.Type
    ) {
        guard updateProperties, (storage.previousState as? Self)?.address != address else { return }
        storage.previousState = self
        let address = address
        // Never leaves this call, which is on the main thread.
        nonisolated(unsafe) let pointer = storage.opaquePointer
        MainActor.assumeIsolated { RemoteImageView(of: pointer)?.source = ImageSource(address) }
    }
}
