// Clearing and resetting.
import fs from 'node:fs';
import path from 'node:path';
import { EventQueue } from '../linkforty/event-queue.mjs';
import { EventSender } from '../linkforty/events.mjs';
import { LinkForty } from '../linkforty/linkforty.mjs';
import { Memory } from '../linkforty/memory.mjs';
import { FolderStorage } from '../linkforty/storage.mjs';
import { patch } from '../patch.mjs';

/** Makes clearData() keep this stored value. */
function outlivesClearing(name) {
  patch(Memory, 'wipe', (original) => function () {
    const value = this.read(name);
    original.call(this);
    if (value !== undefined) this.write(name, value);
  });
}

/** Keeps the session that reset() ended. */
function remembersSession() {
  patch(LinkForty, 'reset', (original) => function () {
    this.last = this.session ?? this.last;
    original.call(this);
  });
}

export const DEFECTS = {
  // ----- clearData

  'clear.id-in-storage': () => {
    patch(Memory, 'wipe', (original) => function () {
      const installId = this.installId();
      original.call(this);
      if (installId === null) return;
      this.write('install', { installId });
      this.isForgotten = true;
    });
    patch(Memory, 'install', (original) => function () {
      return this.isForgotten ? undefined : original.call(this);
    });
    patch(Memory, 'saveInstall', (original) => function (install) {
      this.isForgotten = false;
      original.call(this, install);
    });
    patch(LinkForty, 'getInstallId', (original) => function () {
      const id = original.call(this);
      this.memory.isForgotten = false;
      return id;
    });
  },

  'clear.data-in-handler': () =>
    patch(LinkForty, 'clearData', (original) => function () {
      const { outcome } = this.deferred;
      original.call(this);
      if (outcome?.link) this.deferred.outcome = outcome;
    }),

  'clear.queue-kept': () => patch(EventQueue, 'forget', () => () => {}),

  'clear.two-reports-after': () => {
    patch(Memory, 'wipe', (original) => function () {
      original.call(this);
      this.write('cleared', true);
    });
    patch(LinkForty, 'reportInstall', (original) => async function (session) {
      const isLaunchAfter = this.memory.era === 0 && this.memory.read('cleared') === true;
      if (isLaunchAfter) {
        this.memory.storage.remove('cleared');
        await this.askForInstall(session, () => !session.over).catch(() => {});
      }
      return original.call(this, session);
    });
  },

  'clear.tells-the-server': () =>
    patch(LinkForty, 'clearData', (original) => function () {
      const { session } = this;
      const event = session && this.memory.installId() ? this.events.make('data_cleared') : undefined;
      original.call(this);
      if (event) session.sender.deliver(event, () => true).catch(() => {});
    }),

  'clear.callback-hears-old-link': () => {
    outlivesClearing('linkCopy');
    patch(LinkForty, 'reported', (original) => function (install) {
      if (install.deepLinkData) this.memory.write('linkCopy', install.deepLinkData);
      const heard = install.installId ? this.memory.read('linkCopy') : undefined;
      original.call(this, { ...install, deepLinkData: heard ?? install.deepLinkData });
      return install;
    });
  },

  'clear.backup-restored': () => {
    outlivesClearing('backup');
    patch(Memory, 'saveInstall', (original) => function (install) {
      original.call(this, install);
      if (!this.read('backup')) this.write('backup', install.installId);
    });
    patch(LinkForty, 'remember', (original) => function () {
      const installId = this.memory.read('backup');
      if (installId && !this.reportedHere) this.memory.saveInstall({ ...this.memory.install(), installId });
      return original.call(this);
    });
  },

  'clear.report-under-way-stores': () => patch(LinkForty, 'isStill', () => () => true),

  'clear.twice-fails': () =>
    patch(LinkForty, 'clearData', (original) => function () {
      const isSecond = this.memory.era > 0;
      if (isSecond && this.storage.texts.size === 0) throw new Error('ENOENT: no such file or directory');
      original.call(this);
    }),

  'clear.nothing-fails': () => {
    patch(LinkForty, 'notReported', (original) => function (session, error) {
      this.hasFailedReport = true;
      return original.call(this, session, error);
    });
    patch(LinkForty, 'clearData', (original) => function () {
      const isNothingStored = !this.memory.install() && this.queue.size === 0;
      if (this.hasFailedReport && isNothingStored) throw new Error('there is nothing to remove');
      original.call(this);
    });
  },

  'clear.twice-spoils-storage': () => {
    // The SDK created a folder in its first launch. The folder is now removed permanently, so every later write fails.
    const gone = (folder) => path.join(folder, 'linkforty.gone');
    patch(LinkForty, 'clearData', (original) => function () {
      const isSecond = this.memory.era > 0;
      original.call(this);
      if (!isSecond) return;
      fs.rmSync(path.join(this.storage.folder, 'linkforty.json'), { force: true });
      fs.writeFileSync(gone(this.storage.folder), '');
    });
    patch(FolderStorage, 'write', (original) => function () {
      if (!fs.existsSync(gone(this.folder))) original.call(this);
    });
  },

  'clear.journal-replayed': () => {
    patch(EventQueue, 'forget', (original) => function () {
      const journal = this.events.filter((event) => !event.isFolded);
      original.call(this);
      if (journal.length) this.memory.write('journal', journal);
    });
    patch(EventQueue, 'restore', (original) => function () {
      const journal = this.memory.list('journal');
      if (journal.length === 0) return original.call(this);
      const events = [...journal, ...original.call(this)];
      this.memory.saveEvents(events);
      this.memory.storage.remove('journal');
      return events;
    });
    patch(LinkForty, 'close', (original) => function () {
      for (const event of this.queue.events) event.isFolded = true;
      this.queue.save();
      this.storage.remove('journal');
      original.call(this);
    });
  },

  // ----- reset

  'reset.still-ready': () => {
    remembersSession();
    patch(LinkForty, 'trackEvent', (original) => async function (name, properties) {
      if (this.session || !this.last) return original.call(this, name, properties);
      this.last.over = false;
      return this.track(this.last, this.events.make(name, properties));
    });
  },

  'reset.links-still-ordered': () => {
    remembersSession();
    patch(LinkForty, 'createLink', (original) => async function (options = {}) {
      if (this.session || !this.last) return original.call(this, options);
      return this.last.links.create(options, this.externalUserId);
    });
  },

  'reset.old-key-kept': () =>
    patch(LinkForty, 'makeSession', (original) => function (configuration) {
      this.apiKey = configuration.apiKey ?? this.apiKey;
      return original.call(this, { ...configuration, apiKey: this.apiKey });
    }),

  'reset.wipes-link-data': () =>
    patch(LinkForty, 'reset', (original) => function () {
      original.call(this);
      const install = this.memory.install();
      if (install) this.memory.saveInstall({ ...install, deepLinkData: null });
    }),

  'reset.first-launch-again': () => {
    patch(LinkForty, 'reset', (original) => function () {
      original.call(this);
      this.firstLaunch = true;
      this.memory.storage.remove('launched');
      this.memory.write('isFirstAgain', true);
    });
    patch(LinkForty, 'isInstallReported', (original) => function () {
      return !this.memory.read('isFirstAgain') && original.call(this);
    });
    patch(LinkForty, 'keepInstall', (original) => function (install) {
      this.memory.storage.remove('isFirstAgain');
      return original.call(this, install);
    });
  },

  'reset.timer-goes-on': () => {
    patch(LinkForty, 'makeSession', (original) => function (configuration) {
      this.choices.queueTimer = 30_000;
      const session = original.call(this, configuration);
      const { sender } = session;
      sender.isOver = () => session.over && (!sender.isTimer || Boolean(this.session));
      return session;
    });
    patch(EventSender, 'stop', () => () => {});
    patch(EventSender, 'flushLater', () => function () {
      if (this.timer !== undefined) return;
      this.timer = this.clock.setTimeout(() => {
        const ended = () => (this.isTimer = false);
        this.timer = undefined;
        this.isTimer = true;
        this.flushSoon();
        if (this.flushing) this.flushing.then(ended, ended);
        else ended();
      }, this.choices.queueTimer);
    });
  },
};
