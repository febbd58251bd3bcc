import RemoteImageCore

/// The code of the error that `body` throws; `nil` if it throws none.
public func errorCode<Output>(_ body: () throws(ImageError) -> Output) -> ImageError.Code? {
    do throws(ImageError) {
        _ = try body()
        return nil
    } catch {
        return error.code
    }
}
