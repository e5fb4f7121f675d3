import { Memory } from '../linkforty/memory.mjs';
import { patch } from '../patch.mjs';

/**
 * The storage returns the link of the install in a different form. The launch that stored the link still has the
 * original form.
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
