// Pictures of 48 × 32 pixels in every colour type, with what their pixels are. Made with Pillow 12, zlib and libjpeg-turbo
// from the functions below.

import Foundation
import RemoteImageCore

/// Files for the comparison of decoders with what the pixels are.
public enum GoldenPicture {
    public static let size = PixelSize(width: 48, height: 32)

    /// A baseline JPEG.
    public static let jpeg = bytes(
        """
        /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAIBAQEBAQIBAQECAgICAgQDAgICAgUEBAMEBgUGBgYFBgYGBwkIBgcJBwYGCAsICQoKCgoKBggLDA\
        sKDAkKCgr/2wBDAQICAgICAgUDAwUKBwYHCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgr/wAARCAAg\
        ADADAREAAhEBAxEB/8QAFwABAQEBAAAAAAAAAAAAAAAABwYICf/EACMQAAAFAwQDAQAAAAAAAAAAAAABBgckESKiAjKSoRQhkTH/xAAYAQEBAQ\
        EBAAAAAAAAAAAAAAAFBwgJA//EAB0RAAEEAwEBAAAAAAAAAAAAAAADBAUGISIxYQH/2gAMAwEAAhEDEQA/AOMSaaA7YxfB5IOg2JsXMiAmmgO2\
        MXwLoOinRNi5kQE00B2xi+BdB0U+JsXMiAmmhO2N0F0HRTomxcyICbaE7YvQXQdFOibF8xkQE00J10xegug6KfE2L5jJmZNtB+RMRmlB16cAYm\
        xc2EBNtBtPxMQug6KdE2LmxfptoSti9BdB16U6JsXNhATbQlXTFxC6Dr0p8TYubCAm2hK2LiF0HXpTomxc2EBNNCVdJ+LiF0XXpTomxc2MzJto\
        aUjYjNKDr04AxNi5sX6baE7YuIXQdelOibFzYQE20J00xcQug69KdE2LmwgJtoTti9BdB16U+JsXNi/TbQ7YmIXQdFOibDzYQE00HvTExC6Lr0\
        p8TYubGZ020FT0xD4jNKDo4ARNi5sX6bZ/bEPiF0HRTomxc2EBNM/tinxC6Dop8TYuZEBNs/tinxC6Lop0TYuZEBNM/tinxC6Dr0p0TYuZEBNM\
        /tinxC6Lr0p8TYuZP//Z
        """)

    /// A JPEG whose colours have a quarter of the pixels.
    public static let subsampledJPEG = bytes(
        """
        /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAIBAQEBAQIBAQECAgICAgQDAgICAgUEBAMEBgUGBgYFBgYGBwkIBgcJBwYGCAsICQoKCgoKBggLDA\
        sKDAkKCgr/2wBDAQICAgICAgUDAwUKBwYHCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgr/wAARCAAg\
        ADADASIAAhEBAxEB/8QAFwABAQEBAAAAAAAAAAAAAAAABwYICf/EACMQAAAFAwQDAQAAAAAAAAAAAAABBgckESKiAjKSoRQhkTH/xAAXAQEBAQ\
        EAAAAAAAAAAAAAAAAGCAQK/8QAHREAAQMFAQAAAAAAAAAAAAAAAAQFBgchIjEyYf/aAAwDAQACEQMRAD8A4xJpoDtjF8CAmmgO2MXwM6baD8iY\
        hATbQbT8TEZETpq4ZiVROcwYTTQHbGL4EBNNCdsboMybaErYvQQE20JV0xcQuROmrlOxKofOYMptoTti9BATTQnXTF6DMm2hK2LiEBNNCVdJ+L\
        iFyJ01cpyJVE5zMzJtoaUjYi/TbQnbFxDOm2gqemIfEX6bZ/bEPiJdROmrnOzEqic5gym2hOmmLiEBNtCdsXoMyaZ/bFPiEBNs/tinxC5E6auU\
        5Eqic5gwm2h2xMQgJpoPemJiGdNM/tinxCAmmf2xT4hcidPSnYlUTnM//9k=
        """)

    /// A progressive JPEG.
    public static let progressiveJPEG = bytes(
        """
        /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAIBAQEBAQIBAQECAgICAgQDAgICAgUEBAMEBgUGBgYFBgYGBwkIBgcJBwYGCAsICQoKCgoKBggLDA\
        sKDAkKCgr/2wBDAQICAgICAgUDAwUKBwYHCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgr/wgARCAAg\
        ADADAREAAhEBAxEB/8QAFwABAQEBAAAAAAAAAAAAAAAABgUHCP/EABgBAQEBAQEAAAAAAAAAAAAAAAQGBwgC/9oADAMBAAIQAxAAAAHjDwZAyn\
        QLp0DKdAunQMqMzzTgBAunvsp0C6dAynQLp8zzTgC+ynQLp0DKhAunQMp8zzTgC+unQMp0C6dAynQLqP/EABYQAAMAAAAAAAAAAAAAAAAAAAAE\
        Bf/aAAgBAQABBQJaQLSBaQLSBaQLSBaQLSBaQLSBaQLSBaQLSBaQLSBaQLSBaQLRxaOLRxaOLRz/xAAXEQADAQAAAAAAAAAAAAAAAAAABAVh/9\
        oACAEDAQE/AVKIpRFKIpRFKIpRFKOilHRSjopR0Uo6KUdFKOilHRSjopR0UoaKUdFKOilHRSiKURSiKUT/xAAWEQADAAAAAAAAAAAAAAAAAAAA\
        AgP/2gAIAQIBAT8BSolRKiVEqJUSolRKiVEqJUSolRKiVEqJUSolRKiVEqJU/8QAFRABAQAAAAAAAAAAAAAAAAAAADL/2gAIAQEABj8ClKUpSl\
        KUpSlKUpSlKUpS/8QAGBABAQEBAQAAAAAAAAAAAAAAADHBAfD/2gAIAQEAAT8hiRIkSLF8+I5RY5Ryjl5cRyjlFjlHKOUMoZQyhlDL/9oADAMB\
        AAIAAwAAABDT3wKe93xEa+7/xAAXEQEBAQEAAAAAAAAAAAAAAAAAMSEB/9oACAEDAQE/EIahqGoa4ZrhmoECBAgQIECBAiQIECGoahqGv//EAB\
        cRAQEBAQAAAAAAAAAAAAAAAGEAECD/2gAIAQIBAT8Q6qqbJpppJpppsk5qGkv/xAAeEAACAQQDAQAAAAAAAAAAAAAAARFBUZHhECExwf/aAAgB\
        AQABPxB9HA+jgfRwO0jNA6fgeJeokaBEgQBUsEEEwDIAzRwLvFK+0XEXgXAXgXgf/9k=
        """)

    /// A JPEG of one channel.
    public static let grayJPEG = bytes(
        """
        /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAIBAQEBAQIBAQECAgICAgQDAgICAgUEBAMEBgUGBgYFBgYGBwkIBgcJBwYGCAsICQoKCgoKBggLDA\
        sKDAkKCgr/wAALCAAgADABAREA/8QAFQABAQAAAAAAAAAAAAAAAAAABwn/xAAlEAAABAQFBQAAAAAAAAAAAAAAAQYHESQyoQIEIUGREhMiI1H/\
        2gAIAQEAAD8Ai4jm0M+n0WCsjm0M+j0fNgro5tD8D7Fgro5tDjgPsWCujW0Muj0WCujW0OOEuxYTQRzaUwy1gro5tD8IZb5sFdHNpRLWCujm01\
        wS1grI1tD8I5awV0a2hxwy1hNFHNpTDLWCsjm0ohlvmwV0c2lEtYK6ObTXBLWCujW0ojlrBXRraa4Zawmgjm0plz4Cujm0olz22Cujm0olz4Cu\
        jm0olz4Cujm0olz22CujW01wy58D/9k=
        """)

    /// A JPEG of four inks, inverted as Adobe's programs do.
    public static let cmykJPEG = bytes(
        """
        /9j/7gAOQWRvYmUAZAAAAAAA/9sAQwACAQEBAQECAQEBAgICAgIEAwICAgIFBAQDBAYFBgYGBQYGBgcJCAYHCQcGBggLCAkKCgoKCgYICwwLCg\
        wJCgoK/8AAFAgAIAAwBEMRAE0RAFkRAEsRAP/EABgAAQEBAQEAAAAAAAAAAAAAAAcACAkK/8QAKRAAAQIDBgYDAQAAAAAAAAAAAAEGBxgjAzEy\
        QpKhERJUVXGBQUNlUf/aAA4EQwBNAFkASwAAPwDiTB36/RxwlqXoE0nFhiMTBR2O8DlzGrYOXWXlClqXoE0jSw2Hw5KOwfuXMaug5dY+ilqXoE\
        0jSw2Hgo7B+5cxq6Dl9j6KWpegTSNDEYmCjsH7lzGroOX2XhClqXoE0jSw2Hgo7B+5cxq6Dl9l5Qpal6BNI0sNh8eSjsH7lzHiag79fo6Dy0r2\
        5NJxcYbD4clHY6gOXMatg5dZeUKWle3JpGlhsPBR2D9y5jV0HLrH0UtK9uTSNDEYmCjsH7lzGroOX2PopaV7cmkaWGw8FHYP3LmNXQcvsvCFLS\
        vbk0jSw2Hx5KOwfuXMaug5fZeUKWle3JpGhiMTBR/nwH7lzHiag79fo6ES0p25dJxdYbDwUdjqA5cxq2Dl1l5QpaU7cukaGIxMFHYP3LmNXQcu\
        sfRS0p25dI0sNh4KOwfuXMaug5fY+ilpTty6RpYbD48lHYP3LmNXQcvsvCFLSnbl0jQxGJgo/wA+A/cuY1dBy+y8oUtKduXSNLDYfHko7B+5cx\
        4moO/X6Og8tH566Di4xGJgo7HUBy5jVsHLrLyhS0fnroGlhsPBR2D9y5jV0HLrH0UtH566BpYbD48lHYP3LmNXQcvsfRS0fnroGhiMTBR/nwH7\
        lzGroOX2XhClo/PXQNLDYfHko7B+5cxq6Dl9l5QpaPz10DSxGJgo/wA+A/cuY//Z
        """)

    /// The same with the inks as luminance and colour difference.
    public static let ycckJPEG = bytes(
        """
        /9j/7gAOQWRvYmUAZAAAAAAC/9sAQwACAQEBAQECAQEBAgICAgIEAwICAgIFBAQDBAYFBgYGBQYGBgcJCAYHCQcGBggLCAkKCgoKCgYICwwLCg\
        wJCgoK/9sAQwECAgICAgIFAwMFCgcGBwoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoK/8AAFAgAIAAw\
        BAERAAIRAQMRAQQRAP/EABcAAQEBAQAAAAAAAAAAAAAAAAcJBgj/xAAkEAACAQMDBAMBAAAAAAAAAAAABgEHJEIiMqICEZKhFCGRMf/EABgBAQ\
        EBAQEAAAAAAAAAAAAAAAUHCAkD/8QAHREAAQQDAQEAAAAAAAAAAAAAAAMEBQYhIjFhAf/aAA4EAQACEQMRBAAAPwCzLLV+NVzP6eq7USlq73Be\
        BlyD9lq/Gq5n9CF2pMJau9wH7LkH7LV+NVzP6ELtSYy1d7gP2XIP2Wr0arn2ELtSYy1d7gP2XIP2Sr0arr2ELtSYy1d+5wH7LkH7LV6NV17CF2\
        pMJau/c4D9lyOmWSr/APbvkaWXa+Hf6WrvdSoDLkH7JV/dHy+QQu1JjLV3uofsuRgGSr06rr2ELtfCYy1d7qH7LkH7JV6e3Vdcghdr4TCWrvdQ\
        /Zcg/ZKvTquuQQu18JjLV3uofsuQfstXp7dUfK5BCzXwmMtXe6h+y5HTLJV7v3ueRpZdr4d/pau91KgMuRgGSr0arrkELtfCYy1d7qH7LkH7JV\
        6O/Vdcghdr4TGWrvdQ/Zcg/ZKvRquvYQu18JhLV3uofsuRgGSr2675BC7UmMtXu6h+y5B+y1f+uq75BCzXwmEtXe6h+y5HTDJV/tHVdx5Gll2p\
        3/lq73UqAy5GAZawbruPIIXakxlq73UP2XIP2WsG66jyCF2pMJau9wH7LkH7JWDddR5BCzUmMtXe4D9lyD9lrBuuo8ghdr4TGWrvcB+y5B+y1g\
        3XUeQQs18JhLV3uA/Zcj//2Q==
        """)

    /// PNG, 8 bits.
    public static let rgbPNG = bytes(
        """
        iVBORw0KGgoAAAANSUhEUgAAADAAAAAgCAIAAADbtmxLAAABTUlEQVR42mNkYGBgZWAGIjYQyQImIVwWmCCUjVsQoRGHIIiNphGXICMDBxYXoJ\
        mFVxDFAkL+Iex0RgYBNlZyfcOKYQHlTmdkkOBkpUJEEPQPsU5nZFDgZaU0Igj6hwSnMzJoCrBSFBEEY4e0PMHIYCjMSn5EEIwdkvMEI4OlGOsA\
        5XCsUcHI4CjFOkA5HGtUMDJ4ybIOUA7Hke2DFFgHKIfjyPZRyqwDlMNxZPskddYByuE4qo4sLdYByuE40lCxLusA5XAcaajakHWAcjiONNRswj\
        pAORxHGuo2Zx2gHI4jDU2xYh2gHI4jDc2xYx2gHI4jDS1xZB2gHI6j+bHGhXWAcjiO5scWd9YByuE4mh97vVkHKIfjaH4c9WMdoByOI9ufDWQd\
        oByOI9tfDR1kPdd7EYOs5/osepD1XN/FDbKe67ekQdZz/Z86qHquAHpJSV0DFvCkAAAAAElFTkSuQmCC
        """)

    /// The same in Adam7's order.
    public static let interlacedPNG = bytes(
        """
        iVBORw0KGgoAAAANSUhEUgAAADAAAAAgCAIAAAGssVzdAAACLUlEQVR42s1VPUgcQRh9j/Nb44rHgdwRXIQFC4nG4iAgsRAWBCFCQEEQBYsFG1\
        vLlFfaWqa8MqVtyitT2qa8MqVtct5PMnMzsztOduFgGGbfvu/b7+/tEMAuNkbr/Wwnsg0D6n3QoYQYfFag5IXVxtrk/V8i29m2DiVs9zIFSsas\
        wdUMSqaGSNdG7jrjZR4mZyLfLiQ1x6R+5iA1FU/DK4PUnP9cjMj6CRVknK7PuTGDY5yl1jh0Ur43e252HGky7h1Yg9VJ/eO5OGykwbm1yjppmJ\
        eT0IpiLK8iWlV2A7GCL3s8OxPd9UJHBd5VR8vEWepwVBrmxNH0QNztmYnEhkFpvsTDgZlImSMLSDwem4m4HTm9E0/nsbsX/vkSz3mZI698KWgE\
        G6sgpbUSPDsqSElbBa/9q07pdoKHUI8o2yx47d8+ytlW8DTrEeU7PuIubSXlrhssCz2i3v5rO+2I6OEwWF96RP2j13ba2krK40mwUNXyUQanwf\
        9ptXyUp4uKRDu8rki0zzfViBZvGqNf0mhFWBrvk8elaAr+OztA1dAKTs9zHAfYIN6uSKixGKHooCvJosyJdy0JNfYrm5pPeebEx46EGpeVTeum\
        Z9mIT5sSalzRYGkgcbklocb/PVgWkLjdkWpqXo0eiS9dqV/M/mUj7velfjH765H4eij1i9lfj8S3I6lfzP6DRXw/kfrF7D9YxI9TqV/M/oNF/L\
        xYsMv11/WCXa6/bxbqcv0DFWCFqCw1iMkAAAAASUVORK5CYII=
        """)

    /// The same with 16 bits a channel.
    public static let deepPNG = bytes(
        """
        iVBORw0KGgoAAAANSUhEUgAAADAAAAAgEAIAAACLJrAIAAABrElEQVR42u2ZIUgEQRSG57h7hwZBEEQEQTCIgkEQRIP8giAoCAqCKBgOLFaj0W\
        g1Go1Gq9FotBqNRqv+IsqJ3rCzu7P7Zmc4OJa9B7vzDe//75/XMvj8iDGmbb6+uz/Xnb7r/l87fyp/389T+d8T3Sq/79uf6FrZMhhCG1kWZn+t\
        /JWDF1B0e8qATkCj6EIq3xnJsAAN0AloAsMQJe1QfHvKhk5A0xgprEEa1MoPdAKaY5NJje1QvHF8WgQBLWIslwZpUCv/FkFAKxh31KDwzTt7Tx\
        DQOiYza1BTzDt7TxDQFqYgkZm3k83v0cckMvN2svlDzEAiM28nm+9hVmXU0GERBHSKeWVRQ5NFENAZFtREDX0WQUDn/KsokZm3kwZdYKnWqKE7\
        3xHQJZZrihoh5DsCusJq5VEjnHxHQNdYqzBqhJbvCOiGaUwiM2+n445bbHiOGiHnOwK6w6a3qBF+viOge2x7iBpNOZwloAfslBo1mnU4S0CP2C\
        0pajTxcJaAnrCfJqs2DXrGQZqs2jToBUdpsmrToFccp8mqTYPe0EuTVZsGveMkTVYHru4Dw7JhXaJKTPkAAAAASUVORK5CYII=
        """)

    /// With alpha.
    public static let rgbaPNG = bytes(
        """
        iVBORw0KGgoAAAANSUhEUgAAADAAAAAgCAYAAABU1PscAAABdElEQVR42mNkYGD4z8rA/AeE2cA0C5SGibEgySH4hOVQzcIvB+FjM4uQHCMDB/\
        N/XA7CZglxcpgOID5QSPM4I4MA239WKoYIKw4H0MrjjAwSnP9ZaZYUSAkU8jzOyKDAS0IeoFX+IN/jjAyaAkTmAVrlD8oKBkYGQ2Ei8gCt8gfl\
        BQMjg6UYgTww8EUlvtTAyOAohScPDI6iEl9qYGTwkv3POsiLSvzFaJDCf9ZBXlTiL0ajlP+zDvKiEn8xmqROh6YE7QoGRoYsLRo3JWhbMDAyFO\
        vSsClB+4KBkaHakEZNCfoUDIwMzSY0aErQrw3FyNBtTuWmBH3bUIwMU6yo2JSgfxuKkWGOHZWaEgPThmJkWOJIhabEwLWhGBnWuFDYlBjYNhQj\
        wxZ3CpoSA9+GYmTY601mU2JwdDcZGY76kdGUGDzdTUaGs4EkNiUGV3eTkeFq6BAfmbsXMcRH5p5FD/GRuXdxQ3xk7lvSEB+Z+586pEfmADWvMh\
        c1EgIYAAAAAElFTkSuQmCC
        """)

    /// The same with 16 bits a channel, interlaced.
    public static let deepAlphaPNG = bytes(
        """
        iVBORw0KGgoAAAANSUhEUgAAADAAAAAgEAYAAAFzQxfJAAAC/UlEQVR42u1YMWgUQRSdI95GT7IEJEGyCAcWYtTiQAixCO8gIBgQEhCCQoqDNL\
        YpLa+0TWl5pWVayytTphWrK6NVFAxsXtgL3C23uzM7O7MzyZFi2J38e/vm/ffnzzQErv9ivBBCrIlf4mZ8mfHcEOhiTS2gj9eSAVESMMT7goBo\
        EmGFDJbwG+lfzEJiQBfPJAOiJKDPkPyAaBphiE8ZAdGsTxJok0OMFb5YEn/EampUfZ+eJ0CPnKsFCKcBBlwjPYAwn8GIa6oGEKosUYt5FOAvyi\
        5BURwB2ngkCRCW0IYAXULkA4Qa4hOgh1cZAKHEGksA9PEmBaAiogTAAG/HAGEJI0kADPFBMYsUAUZUwSCAwDJ9EKPFF4vin3jIMRiPec8q/182\
        bvK5lTFPAh36rFoCVREvIrCYENijj/UImFIuTWDWexI4Yp1QI5Anqe3UI4Fj1qF8Aio5aTv1SOCEdW6agI6pbKceCZyxjiYEAsMETChHAhes02\
        YI2Ei9RpP90AL+w9UPLIojgWU8GBNwsc4XxZFAmxTkFHDR3CTQwWqBAnVuVBIKdPEkQ4EqexZT1YkE9vA0pYBLO62EAj2sK5rYpfJKAkd0Qbky\
        6kKXSgJ9bBhWwGT1IoFjbBlSwEb1IoEBtitWwGb1IoET7FSkQB3ViwSG2NVUoM7qRQJn2Pe7mRvhwO9m7gKHPjdzAvd5HojR5IsFcSluxoDjvd\
        Tz5HxzPB/MiMub14kr+q6ycbPmZX9fJ+56pACPeZ5JBHDxA5uKCy4Tp5tgVSYmBXjO81i1DvDNOUWJYjIxKcAmz5N6DvDNOTKlzJZzKMA7nofV\
        HOCDtV3YO2TiKMBHnufzHeCbtevaO8rEUYDPWE85wDdr+9x1UYAv6GSUoLvYFtp2DgX4io2KHHAb2kLbXRcF+Iatkg64jW2h7a6LAnzHtqQD7k\
        JbaHvvoAA/sGP5KsLlttD23kEBTrFr+CrCp7bQ9t5BAX5if34ZV+dl3DkO5pdxdV7GxTicX8bV1nVdAW4xlsZd7BZIAAAAAElFTkSuQmCC
        """)

    /// PNG, gray.
    public static let grayPNG = bytes(
        """
        iVBORw0KGgoAAAANSUhEUgAAADAAAAAgCAAAAABxv6TAAAAAfklEQVR42mNkYGJmhiDiKEYWUjVwkKqBh1QNAqRqECFeLZhilCBVgwypGhRI1a\
        BKqqc1SdWgS6oGQ1I1mJKqwZLUULIlVYMjqRpcSdXgRaqn/UjVEESqhjBSNUSRqiGO1FBKIlVDGqkaskjVkE+qp4tJ1VBOqoZqUjXUk+hpAL2K\
        F/id2WJyAAAAAElFTkSuQmCC
        """)

    /// The same with 16 bits.
    public static let deepGrayPNG = bytes(
        """
        iVBORw0KGgoAAAANSUhEUgAAADAAAAAgEAAAAAAhL3iDAAAAiklEQVR42mNkcGBiYAZCZJKaPEYWWlvAQWsLeGhtgQCtLRBxoIWxCB6jBK0tkK\
        G1BQq0tkCV1pGsSWsLdGltgSGtLTCltQWWtE5FtrS2wJHWFrjS2gIvWkeyH60tCKK1BWG0tiCK1hbE0ToVJdHagjRaW5BFawvyaR3JxbS2oJzW\
        FlTT2oJ6GkcyAComH/g8gVhqAAAAAElFTkSuQmCC
        """)

    /// Gray with alpha.
    public static let grayAlphaPNG = bytes(
        """
        iVBORw0KGgoAAAANSUhEUgAAADAAAAAgCAQAAAD+3TOXAAAAiklEQVR42mNk+M/0hxkIkUlq8hhZaG0BB60t4KG1BQK0tkDkPy2MRfAYJWhtgQ\
        ytLVCgtQWqtI5kTVpboEtrCwxpbYEprS2wpHUqsqW1BY60tsCV1hZ40TqS/WhtQRCtLQijtQVRtLYgjtapKInWFqTR2oIsWluQT+tILqa1BeW0\
        tqCa1hbU0ziSAS/YALL8l5snAAAAAElFTkSuQmCC
        """)

    /// Sixteen colours in a palette.
    public static let palettePNG = bytes(
        """
        iVBORw0KGgoAAAANSUhEUgAAADAAAAAgCAMAAABjCgsuAAAAMFBMVEUA/wAQ7zUg32owz59Av9RQrwlgnz5wj3OAf6iQb92gXxKwT0fAP3zQL7\
        HgH+bwDxuCQ0UPAAAAJUlEQVR42mNkQAKMJLJHNVBPA8uohkGhgWNUw6DQwDOqYTBoAAD5vgFBEeIXzwAAAABJRU5ErkJggg==
        """)

    /// The same with an alpha for each colour, interlaced.
    public static let transparentPalettePNG = bytes(
        """
        iVBORw0KGgoAAAANSUhEUgAAADAAAAAgCAMAAAEUDTu4AAAAMFBMVEUA/wAQ7zUg32owz59Av9RQrwlgnz5wj3OAf6iQb92gXxKwT0fAP3zQL7\
        HgH+bwDxuCQ0UPAAAAEHRSTlMAESIzRFVmd4iZqrvM3e7/dpUBFQAAAGJJREFUeNrdjcEKwDAIQyPkkIP//73bsAPZVpgX2VqsMTyiBpjtxRCF\
        eAiiMUQhPgiOP4rZKBvPBlPDd9vmq693cMq9PwGWgcrAywANgA1ADcAbANKz4vyVABcIaIGA/z+wATTnAlnkjIVqAAAAAElFTkSuQmCC
        """)

    /// The same as GIF.
    public static let gif = bytes(
        """
        R0lGODdhMAAgAIMAAAD/ABDvNSDfajDPn0C/1FCvCWCfPnCPc4B/qJBv3aBfErBPR8A/fNAvseAf5vAPGywAAAAAMAAgAEAI/wABCBxIUGCAgw\
        gTHhTAsKFDhgMiSpwYkYDFixgtFtjIseNGAyBDigR5oKTJkyURqFzJUmWClzBjvlRAs6ZNmgty6tyZk4HPn0B9NhhKtOhQB0iTKkX6oKnTp00L\
        SgWgsGqAh1gFUNw6IKNXAh7DFhhJ1gDKswdaqkUgs22Cm3AV8Jy7IKhdBkbzNljK1wHUvw+mFrSqMOtDrhQFEySc0LBDxBO/ZhTrsexItCglY6\
        Tc0bJIzCfXtnQrM+5NujxFsyQd07RN1DvvBtVrtO9SwFBlA6Vd1LZS3E8VD2SM0HFDyBKFGyR+1bhW5AOUU2Xu/Dly6cybG4feVbNGzh89k1wE\
        XdL7d/Dix5M3Dxb82PTky5t3/158/LSqXbKe6Ron7Jz56bdff/79FyBb+71F4H8ABpiggv0xWJduQvF2lG9MAdcUhRVaiGGGGnKIl4V7fajhhh\
        ySWCKGJz4QEAA7
        """)

    /// WebP, VP8.
    public static let lossyWebP = bytes(
        """
        UklGRugAAABXRUJQVlA4INwAAABQBwCdASowACAAPhUIg0EhBqkABABRLUATpl7PF/Lfxc/I7po98u42Sv6gEfdlf4g4d4f6TUPtO5sXUBl9D5\
        9lj78AAP7//sMj1I2UH6kMiGp72Nuirp32QbLAstq2VV3PA3+MV10YcAUibOioyglD5TPAS66QrNrAKrK0QDG/Xp7t3K9LLeZ+62zLaQfwhx8J\
        gJqdi7Z1qWSUDusJvao8jfJrmjKFvtSrhpDuUUrYDWNWwHVRml6xC2LVYA/7DxsMTcAGHaXNWsR2davZOrMlzzM6MZwG3ZgBJAAA
        """)

    /// WebP, VP8L.
    public static let losslessWebP = bytes(
        """
        UklGRpIAAABXRUJQVlA4TIUAAAAvL8AHALkKRPQ/dhHR/zAwcts2ko/O/5/cdYxgzqqQIIUU/QBBqHHbNhoE5K6mPgLlaSrK05/29M0lTd1cQh\
        0qm0sG7Fo/KVwa5bHtoYByqlMeFW6N0rHtD182bo3Sse0PcWzu2lpPx4b22MzGvpyODXFsfz5fu9BIx9j2kNyYyvz+v1oCAA==
        """)

    /// WebP, VP8L, with alpha.
    public static let alphaWebP = bytes(
        """
        UklGRpYAAABXRUJQVlA4TIkAAAAvL8AHELkKRPQ/dhHR/zAwcts2ko/O/5/cdYxgzqqQIIUU/QDB8Ktx2zYaBOSupj4C5dOqUT790z795pJWvb\
        mEeqhsLhlgrfWTwqVRHqs9FKA01SkdFW6N0rHVH75s3BqlY6s/xLFy19Z6OjZoj5XZ2JfTsUEcqz+fr11opGOs9pDcmMr8/r9aAgA=
        """)

    static func bytes(_ text: String) -> [UInt8] {
        Data(base64Encoded: text, options: .ignoreUnknownCharacters).map { [UInt8]($0) } ?? []
    }
}
