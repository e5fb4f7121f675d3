import { Memory } from '../linkforty/memory.mjs';
import { patch } from '../patch.mjs';

/**
 * The link behind the install comes out of the storage in another form than it went in. The launch that has saved it
 * still knows it as it was.
 * @param {(link: object, install: object) => object | null} change
 */
export function storedDifferently(change) {
  patch(Memory, 'saveInstall', (original) => function (install) {
    const { deepLinkData: link } = install;
    original.call(this, { ...install, deepLinkData: link && change(link, install) });
    this.saved = { install, text: this.storage.get('install') };
  });
  patch(Memory, 'install', (original) => function () {
    return this.saved && this.saved.text === this.storage.get('install') ? this.saved.install : original.call(this);
  });
}
