/** Saving: one version at a time, somebody else's save shown as a choice, unsaved work kept in the browser. */

import { differences } from "./compare.js";
import { footButton, openDialog } from "./dialog.js";
import { announce, debounce, fill, h, toast } from "./dom.js";
import { askGate } from "./gate.js";
import { Refusal, post } from "./requests.js";
import { showUse } from "./use.js";

const KEPT_DAYS = 30;

/** The document of a stored template. @param {any} state @returns {import("./store.js").Doc} */
export function docOf(state) {
  const { name, description, formats, sections, variables, page, sampleData } = state.template;
  return { name, description, formats, sections, variables, page, sampleData, samples: state.samples };
}

/** What the publish gate answered, null for another failure. @param {any} error */
function gateOf(error) {
  return error instanceof Refusal && error.status === 422 ? (error.body.gate ?? null) : null;
}

export class Saving {
  /**
   * @param {import("./form.js").Context} context @param {{save: string, publish_saved: string}} urls
   * @param {{onSaved: (state: any) => void, onProblems: (list: any[]) => void, onBusy: (busy: boolean) => void, onGo: (finding: import("./gate.js").Finding) => void}} told
   */
  constructor(context, urls, told) {
    this.context = context;
    this.store = context.store;
    this.urls = urls;
    this.told = told;
    this.id = context.data.template.id;
    this.version = context.data.template.version;
    /** @type {string} what the author knows the template to be */ this.status = context.data.template.status;
    this.busy = false;
    const keep = debounce(() => this.keep(), 400);
    this.store.subscribe((change) => {
      if (change.kind !== "select") keep();
    });
    window.addEventListener("pagehide", () => this.keep());
    window.addEventListener("beforeunload", (event) => {
      if (this.store.dirty && !this.stored) event.preventDefault();
    });
    this.stored = true;
  }

  // ------------------------------------------------------------ in the browser

  get key() {
    return `editor:${this.context.data.person}:${this.id}`;
  }

  /** Keep unsaved work in this browser, so that a closed tab loses nothing. */
  keep() {
    if (this.context.readOnly) return;
    try {
      if (this.store.dirty)
        localStorage.setItem(
          this.key,
          JSON.stringify({ version: this.version, at: Date.now(), doc: this.store.doc }),
        );
      else localStorage.removeItem(this.key);
      this.stored = true;
    } catch {
      this.stored = false; // no room: the browser asks before the tab is closed
    }
  }

  /** Work that an earlier visit left behind. @returns {{version: number, at: number, doc: any}|null} */
  left() {
    try {
      const found = JSON.parse(localStorage.getItem(this.key) ?? "null");
      const old = found && Date.now() - found.at > KEPT_DAYS * 86_400_000;
      if (old) localStorage.removeItem(this.key);
      return found && !old && JSON.stringify(found.doc) !== JSON.stringify(this.store.saved) ? found : null;
    } catch {
      return null;
    }
  }

  /** Offer what was left behind. @param {HTMLElement} holder */
  offerLeft(holder) {
    const left = this.context.readOnly ? null : this.left();
    if (!left) return;
    const when = new Date(left.at).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
    const since =
      left.version < this.version
        ? ` It began with version ${left.version}; the template is at ${this.version} now.`
        : "";
    const close = () => {
      holder.hidden = true;
      fill(holder);
    };
    fill(
      holder,
      h("p", {}, h("strong", {}, "You have unsaved work"), ` from ${when}.${since}`),
      h(
        "div",
        { class: "ed-tools" },
        h(
          "button",
          {
            type: "button",
            class: "button small primary",
            on: {
              click: () => {
                this.version = Math.min(left.version, this.version);
                this.store.change(left.doc, { kind: "reset" });
                close();
              },
            },
          },
          "Go on with it",
        ),
        h(
          "button",
          {
            type: "button",
            class: "button small",
            on: {
              click: () => {
                localStorage.removeItem(this.key);
                close();
              },
            },
          },
          "Discard",
        ),
      ),
    );
    holder.hidden = false;
  }

  // ------------------------------------------------------------ in the service

  /**
   * @param {number} [version] the version that the save takes the place of
   * @param {string} [accept] the token of the warnings that the author has accepted
   * @returns {Promise<boolean>}
   */
  async save(version = this.version, accept = "") {
    if (this.busy || this.context.readOnly) return false;
    if (!this.store.dirty) {
      announce("Nothing to save");
      return true;
    }
    this.setBusy(true);
    const doc = this.store.doc;
    const { samples, ...content } = doc;
    try {
      const state = await (
        await post(this.urls.save, {
          version,
          status: this.status,
          content: this.store.contentDirty || version !== this.version ? content : null,
          samples: samples === this.store.saved.samples ? null : samples,
          accept,
        })
      ).json();
      this.saved(state, doc);
      const said = `Saved as version ${state.template.version}`;
      if (state.template.status === "published") toast(`${said}: the API uses it from now on.`);
      else announce(said);
      return true;
    } catch (error) {
      if (error instanceof Refusal && error.status === 409) this.conflict(error.body.current);
      else if (error instanceof Refusal && error.status === 400 && error.body.problems) {
        this.told.onProblems(error.body.problems);
        toast("Not saved: there is something to correct first.");
      } else if (gateOf(error)) {
        this.setBusy(false);
        const token = await askGate(gateOf(error), {
          title: "This template is live: look at this before you save",
          stopped: "This template is live, and would fail like this",
          anyway: "Save anyway",
          go: this.told.onGo,
        });
        return token !== null && this.save(version, token);
      } else
        toast(error instanceof Refusal ? error.message : "No connection. Your work is kept in this browser.");
      return false;
    } finally {
      this.setBusy(false);
    }
  }

  /** @param {any} state @param {import("./store.js").Doc} doc what was sent; typing may have gone on */
  saved(state, doc) {
    this.version = state.template.version;
    this.status = state.template.status;
    this.store.saved = doc;
    this.keep();
    this.told.onSaved(state);
  }

  /** Save if needed, then publish. @param {string} [accept] the token of the warnings that the author has accepted */
  async publish(accept = "") {
    if (this.store.dirty && !(await this.save())) return;
    this.setBusy(true);
    try {
      const state = await (await post(this.urls.publish_saved, { accept })).json();
      this.status = state.template.status;
      this.told.onSaved(state);
      showUse(state.template, state.use);
    } catch (error) {
      if (!gateOf(error)) {
        toast(/** @type {Error} */ (error).message);
        return;
      }
      this.setBusy(false);
      const token = await askGate(gateOf(error), {
        title: "Look at this before you publish",
        stopped: "It cannot be published like this",
        anyway: "Publish anyway",
        go: this.told.onGo,
      });
      if (token !== null) await this.publish(token);
    } finally {
      this.setBusy(false);
    }
  }

  /** @param {boolean} busy */
  setBusy(busy) {
    this.busy = busy;
    this.told.onBusy(busy);
  }

  /** Somebody else has saved: nothing is overwritten, the author chooses. @param {any} current */
  conflict(current) {
    const theirs = docOf(current);
    const found = differences(this.store.doc, theirs, this.context.data.kinds);
    const when = new Date(current.savedAt).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
    const both = h(
      "div",
      { class: "ed-both", hidden: true },
      h(
        "table",
        {},
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            ["Where", "Yours", "Theirs"].map((title) => h("th", { scope: "col" }, title)),
          ),
        ),
        h(
          "tbody",
          {},
          found.map((each) =>
            h(
              "tr",
              {},
              h("th", { scope: "row" }, each.what),
              h("td", {}, each.mine),
              h("td", {}, each.theirs),
            ),
          ),
        ),
      ),
    );
    const published = current.template.version === this.version;
    openDialog(published ? "Somebody else has published it meanwhile" : "Somebody else has saved meanwhile", (close) => {
      const act = (/** @type {() => void} */ run) => () => {
        close();
        run();
      };
      const see = footButton(
        `See both (${found.length} ${found.length === 1 ? "difference" : "differences"})`,
        () => {
          both.hidden = !both.hidden;
          see.setAttribute("aria-expanded", String(!both.hidden));
        },
        { "aria-expanded": "false" },
      );
      return {
        body: [
          published
            ? h(
                "p",
                {},
                `Version ${this.version} is live since you opened it. What you save is what everybody gets who renders it, at once: it is tried out first.`,
              )
            : h(
                "p",
                {},
                h("strong", {}, current.author),
                ` saved version ${current.template.version} (${when}) while you worked on version ${this.version}. Nothing is lost: choose what the template becomes. Both stay in its history or in this browser.`,
              ),
          both,
        ],
        foot: [
          see,
          footButton(
            published ? "Discard mine" : "Load theirs",
            act(() => this.takeTheirs(current, theirs)),
          ),
          footButton(
            `Keep mine as version ${current.template.version + 1}`,
            act(() => {
              this.status = current.template.status;
              this.save(current.template.version);
            }),
            { class: "button primary" },
          ),
        ],
      };
    });
  }

  /** @param {any} current @param {import("./store.js").Doc} theirs */
  takeTheirs(current, theirs) {
    this.version = current.template.version;
    this.status = current.template.status;
    this.store.change(theirs, { kind: "reset" });
    this.store.saved = theirs;
    this.keep();
    this.told.onSaved(current);
    toast("Their version is loaded.", { label: "Back to mine", run: () => this.store.undo() });
  }
}
