/** Saving and publishing: one request at a time, and what the author does about a refusal. */

import { differences } from "./compare.js";
import { askConflict, isSameContent } from "./conflict.js";
import { announce, fill, h, settle, toast, undoToast } from "./dom.js";
import { parse } from "./exactjson.js";
import { askGate } from "./gate.js";
import { giveFile } from "./jsontab.js";
import { Kept } from "./kept.js";
import { Refusal, isLost, post } from "./requests.js";
import { showUse } from "./use.js";

/** The login, in a tab of its own, which goes on to the template's page: this tab keeps what is unsaved. */
const LOG_IN = {
  label: "Log in",
  run: () => {
    const back = /** @type {HTMLAnchorElement} */ (document.getElementById("ed-back"));
    window.open(back.href, "_blank", "noopener");
  },
};

/** @typedef {import("./kept.js").Base} Base */

/** The document of a stored template. @param {any} state @returns {import("./store.js").Doc} */
export function docOf(state) {
  const { name, description, formats, sections, variables, page, sampleData } = state.template;
  return { name, description, formats, sections, variables, page, sampleData, samples: state.samples };
}

/** What work on a stored template begins with. @param {any} state @returns {Base} */
function baseOf(state) {
  const { version, status } = state.template;
  return { version, status, samplesDigest: state.samplesDigest };
}

const PATIENCE = 60_000; // milliseconds that an answer may take
const GATE_OF_SAVE = {
  title: "This template is live: look at this before you save",
  stopped: "This template is live, and would fail like this",
  anyway: "Save anyway",
};
const GATE_OF_PUBLISH = {
  title: "Look at this before you publish",
  stopped: "It cannot be published like this",
  anyway: "Publish anyway",
};

export class Saving {
  /**
   * @param {import("./form.js").Context} context @param {{save: string, publish_saved: string}} urls
   * @param {HTMLElement} notice where work that was left behind is offered
   * @param {{onSaved: (state: any) => void, onProblems: (list: any[]) => void, onBusy: () => void, onGo: (finding: import("./gate.js").Finding) => void, isUnfinished: () => boolean}} told
   */
  constructor(context, urls, notice, told) {
    this.context = context;
    this.store = context.store;
    this.urls = urls;
    this.told = told;
    this.notice = notice;
    /** @type {Base} what the author knows the template to be */ this.base = baseOf(context.data);
    this.busy = false;
    /** @type {boolean} whether the author wants to save what was written while a save is under way */ this.again = false;
    /** @type {string} stands for the warnings that the author accepted last: the same ones are not asked about again */
    this.accepted = "";
    /** @type {HTMLElement|null} what tells that the last save failed */ this.failure = null;
    /** @type {import("./store.js").Doc|null} what was sent last and never answered: it may be stored */
    this.lost = null;
    const { person, template } = context.data;
    this.kept = new Kept(this.store, `editor:${person}:${template.id}`, () => this.base);
  }

  /** Offer work that is kept in this browser: of an earlier visit, or put aside. */
  offerKept() {
    if (this.context.readOnly) {
      this.kept.offerFile(this.notice, (entry) => giveFile(entry.doc));
      return;
    }
    this.kept.offer(this.notice, this.base.version, (entry) => {
      this.base = entry.base;
      this.store.change(entry.doc, { kind: "reset" });
    });
  }

  /**
   * @param {Base} [base] what the save takes the place of: another one than the author's where they have chosen
   * @returns {Promise<boolean>}
   */
  async save(base = this.base) {
    if (this.context.readOnly) return false;
    if (this.busy) {
      this.again = true;
      return false;
    }
    settle();
    if (!this.store.dirty && base === this.base) {
      if (this.told.isUnfinished()) toast("Not saved: the JSON cannot be used yet.");
      else announce("Nothing to save");
      return true;
    }
    const { doc, saved } = this.store;
    const { samples, ...content } = doc;
    const isOther = (/** @type {keyof Base} */ name) => base[name] !== this.base[name];
    try {
      const state = await this.send(this.urls.save, {
        ...base,
        content: this.store.contentDirty || isOther("version") ? content : null,
        samples: samples !== saved.samples || isOther("samplesDigest") ? samples : null,
        accept: this.accepted,
      });
      this.saved(state, doc);
      return true;
    } catch (error) {
      if (isLost(error)) this.lost = doc;
      // What is asked for again takes the place of what the author chose, or of what was found to be their own.
      return this.refused(error, GATE_OF_SAVE, (isOwn = false) => this.save(isOwn ? this.base : base));
    }
  }

  /** @param {any} state @param {import("./store.js").Doc} doc what was sent; typing may have gone on */
  saved(state, doc) {
    this.base = baseOf(state);
    this.lost = null;
    this.store.saved = doc;
    this.kept.keep();
    this.told.onSaved(state);
    const said = `Saved as version ${state.template.version}`;
    if (this.told.isUnfinished()) toast(`${said}, without the JSON that cannot be used yet.`);
    else if (state.template.status === "published") toast(`${said}: the API uses it from now on.`);
    else announce(said);
  }

  /**
   * Save if needed, then publish what the author sees.
   * @returns {Promise<boolean>}
   */
  async publish() {
    if (this.busy || this.context.readOnly) return false;
    settle();
    if (this.store.dirty && !(await this.save())) return false;
    try {
      const state = await this.send(this.urls.publish_saved, {
        version: this.base.version,
        accept: this.accepted,
      });
      this.base = baseOf(state);
      this.told.onSaved(state);
      showUse(state.template, state.use);
      return true;
    } catch (error) {
      return this.refused(error, GATE_OF_PUBLISH, () => this.publish());
    }
  }

  /** Post, with the buttons out of use meanwhile. @param {string} url @param {any} body @returns {Promise<any>} what the service answers */
  async send(url, body) {
    this.failure?.remove();
    this.setBusy(true);
    try {
      return parse(await (await post(url, body, AbortSignal.timeout(PATIENCE))).text());
    } catch (error) {
      if (!isLost(error)) this.again = false; // what was refused is for the author to look at first
      throw error;
    } finally {
      this.setBusy(false);
      if (this.again) setTimeout(() => this.saveAgain());
    }
  }

  /** Save what was written since the save that has just ended, as was asked for meanwhile. */
  saveAgain() {
    this.again = false;
    if (this.store.dirty) this.save();
  }

  /** @param {boolean} busy */
  setBusy(busy) {
    this.busy = busy;
    this.told.onBusy();
  }

  /**
   * Tell why something was refused, and go on with it where the author wants to.
   * @param {any} error @param {{title: string, stopped: string, anyway: string}} words of the gate
   * @param {(isOwn?: boolean) => Promise<boolean>} again with the warnings accepted; `isOwn`: after what is stored
   *   was found to be the author's
   * @returns {Promise<boolean>} whether it was done in the end
   */
  async refused(error, words, again) {
    if (!(error instanceof Refusal)) {
      if (!isLost(error)) throw error;
      this.fail("No connection. Your work is kept in this browser.");
    } else if (error.body.isArchived) {
      this.tellArchived();
    } else if (error.status === 409 && error.body.current) {
      if (this.isOwn(error.body.current))
        return words === GATE_OF_PUBLISH || this.store.dirty ? again(true) : true;
      return this.conflict(error.body.current);
    } else if (error.body.gate) {
      const token = await askGate(error.body.gate, { ...words, go: this.told.onGo });
      if (token === null) return false;
      this.accepted = token;
      return again();
    } else if (error.status === 400 && error.body.problems) {
      this.told.onProblems(error.body.problems);
      this.fail("Not saved: there is something to correct first.");
    } else {
      this.fail(error.message, error.isLoggedOut ? LOG_IN : {});
    }
    return false;
  }

  /**
   * Say why nothing was saved: it stands until the next save, or until it is closed.
   * @param {string} text @param {{label?: string, run?: () => void}} [action]
   */
  fail(text, action = {}) {
    this.failure = toast(text, { ...action, stays: true });
  }

  /** Nothing more can be saved here: the work goes elsewhere, as a file. */
  tellArchived() {
    fill(
      this.notice,
      h(
        "p",
        {},
        h("strong", {}, "This template has been archived meanwhile."),
        " It cannot be changed any more. Export your work in the tab JSON: the same tab of another template imports it.",
      ),
    );
    this.notice.hidden = false;
  }

  /**
   * Tell whether what is stored is one's own: of a save that nobody answered, or the same as here. Then it is saved.
   * @param {any} current
   */
  isOwn(current) {
    const theirs = docOf(current);
    const isStored = (/** @type {import("./store.js").Doc} */ doc) =>
      !differences(doc, theirs, this.context.data).length;
    const { lost, store } = this;
    const isAsBefore = this.base.status === current.template.status;
    const own = isStored(store.doc) ? store.doc : lost && isAsBefore && isStored(lost) ? lost : null;
    if (own) this.saved(current, own);
    return own !== null;
  }

  /** Somebody else was faster: nothing is overwritten, the author chooses. @param {any} current */
  async conflict(current) {
    const theirs = docOf(current);
    const { base, store } = this;
    const choice = await askConflict({
      base,
      current,
      theirs,
      mine: store.doc,
      makesVersion: store.contentDirty || !isSameContent(base, current),
      data: this.context.data,
    });
    if (choice === "mine") return this.save(baseOf(current));
    if (choice === "theirs") this.takeTheirs(current, theirs);
    return false;
  }

  /** @param {any} current @param {import("./store.js").Doc} theirs */
  takeTheirs(current, theirs) {
    const mine = this.store.doc;
    const isDiscarded = isSameContent(this.base, current) && this.base.status !== current.template.status;
    const isSafe = isDiscarded || this.kept.setAside();
    this.base = baseOf(current);
    this.store.change(theirs, { kind: "reset" });
    this.store.saved = theirs;
    this.kept.keep();
    this.told.onSaved(current);
    if (isDiscarded) undoToast("Your changes are discarded.", this.store, mine);
    else toast(isSafe ? "The saved version is loaded." : "The saved version is loaded. Undo leads back to yours.");
    this.offerKept();
  }
}
