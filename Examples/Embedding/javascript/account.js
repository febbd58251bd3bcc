#!/usr/bin/env -S gjs -m
// Saves the images of an account as PNG files, several at a time. A command prints the account's
// token, and is run again once the server refuses the token.
//
//   gjs -m account.js COMMAND FOLDER URI…

import Gio from 'gi://Gio';
import GLib from 'gi://GLib';
import Gtk from 'gi://Gtk?version=4.0';
import RemoteImage from 'gi://RemoteImage?version=1';
import {exit, programArgs, programInvocationName} from 'system';

Gio._promisify(Gio.Subprocess.prototype, 'communicate_utf8_async');
Gio._promisify(RemoteImage.Pipeline.prototype, 'load_texture_async');

class Account {
    constructor(name, origin, command) {
        this.command = GLib.shell_parse_argv(command)[1];
        this.authorization = new RemoteImage.Authorization({account: name, origins: [origin]});
        this.authorization.connect('credential-needed', (_, request) => {
            this.answer(request).catch(error => request.fail(error));
        });
    }

    /** The library asks once for all images whose token was refused. */
    async answer(request) {
        if (request.get_status() !== 0)
            this.token = null;
        this.token ??= this.readToken();
        request.respond(`Bearer ${await this.token}`);
    }

    async readToken() {
        const process = Gio.Subprocess.new(this.command, Gio.SubprocessFlags.STDOUT_PIPE);
        const [output] = await process.communicate_utf8_async(null, null);
        return output.trim();
    }
}

/** Returns whether the image was saved. */
async function save(pipeline, uri, path) {
    try {
        const texture = await pipeline.load_texture_async(uri, 0, null);
        texture.save_to_png(path);
        print(`${path}: ${texture.width} × ${texture.height}`);
        return true;
    } catch (error) {
        printerr(`${uri}: ${error.message}`);
        return false;
    }
}

async function main([command, folder, ...uris]) {
    const [origin] = uris[0].match(/^https?:\/\/[^/]+/);
    const account = new Account(GLib.get_user_name(), origin, command);
    const pipeline = new RemoteImage.Pipeline({authorization: account.authorization});
    const saved = await Promise.all(uris.map(
        (uri, index) => save(pipeline, uri, GLib.build_filenamev([folder, `${index + 1}.png`]))));
    return saved.every(isSaved => isSaved);
}

if (programArgs.length < 3) {
    printerr(`usage: ${programInvocationName} COMMAND FOLDER URI…`);
    exit(64);
}
Gtk.init();
const loop = new GLib.MainLoop(null, false);
let status = 1;
main(programArgs)
    .then(isComplete => (status = isComplete ? 0 : 1), logError)
    .finally(() => loop.quit());
loop.run();
exit(status);
