print("remote-image")
