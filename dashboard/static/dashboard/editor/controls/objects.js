/** Controls of objects: parts that may be absent, paper, carried totals, looks of headings, assets. */

import { complete } from "../complete.js";
import { fill, h, icon, toast, uid } from "../dom.js";
import { buildField, buildForm, valueOf, write } from "../form.js";
import { expressionSource } from "../offers.js";
import { formatPath, set } from "../paths.js";

/** @typedef {import("../form.js").Control} Control */

/** What a part begins with when it is switched on: enough to be valid. @type {Record<string, any>} */
const STARTERS = { watermark: { text: "DRAFT" } };

/**
 * Let a whole come or go, such as a part with what lies in it, as a step of its own.
 * @param {any} context @param {any} path @param {any} value @param {any} origin
 */
function put(context, path, value, origin) {
  context.store.change(set(context.store.doc, path, value), { path, origin, kind: "set" });
}

/** @type {Control} */
function object(field, path, context) {
  const fields = field.fields ?? [];
  const id = uid("part");
  const body = h("div", { class: "ed-part-body", id });
  const draw = () => fill(body, present() ? buildForm(fields, path, context) : null);
  const present = () =>
    !field.nullable || (context.store.at(path) !== undefined && context.store.at(path) !== null);
  if (!field.nullable) {
    draw();
    return {
      element: h("fieldset", { class: "ed-part" }, h("legend", { class: "ed-label" }, field.label), body),
      bare: true,
    };
  }
  if (field.tri) return threefold(field, path, context, body, draw);
  const input = h("input", {
    type: "checkbox",
    role: "switch",
    class: "ed-switch",
    checked: present(),
    disabled: context.readOnly,
    id: uid("switch"),
    "aria-controls": id,
    on: {
      change: () => {
        put(context, path, input.checked ? starter(field, context) : undefined, input);
        draw();
      },
    },
  });
  draw();
  return {
    element: h(
      "div",
      { class: "ed-part" },
      h(
        "div",
        { class: "ed-inline-row" },
        input,
        h("label", { for: input.id, class: "ed-label" }, field.label),
      ),
      field.help ? h("p", { class: "ed-help" }, field.help) : null,
      body,
    ),
    bare: true,
  };
}

/** @param {import("../form.js").Field} field @param {any} context */
function starter(field, context) {
  if (field.fields?.some((each) => each.name === "regular"))
    return { regular: fontsOf(context)[0]?.id ?? "" };
  return structuredClone(STARTERS[field.name] ?? {});
}

/** A band of the first page: as on the others (absent), none (null), or its own. @param {any} field @param {any} path @param {any} context @param {any} body @param {() => void} draw */
function threefold(field, path, context, body, draw) {
  const value = context.store.at(path);
  const state = value === undefined ? "same" : value === null ? "none" : "own";
  const name = uid("first");
  const options = [
    ["same", "As on the others"],
    ["none", "None"],
    ["own", "Its own"],
  ];
  const element = h(
    "fieldset",
    { class: "ed-part" },
    h("legend", { class: "ed-label" }, field.label),
    h(
      "div",
      { class: "ed-segments" },
      options.map(([key, label]) => {
        const input = h("input", {
          type: "radio",
          name,
          id: uid("radio"),
          value: key,
          checked: state === key,
          disabled: context.readOnly,
          on: {
            change: () => {
              put(context, path, key === "same" ? undefined : key === "none" ? null : {}, element);
              draw();
            },
          },
        });
        return [input, h("label", { for: input.id }, label)];
      }),
    ),
    body,
  );
  draw();
  return { element, bare: true };
}

/** @type {Control} */
function paper(field, path, context) {
  const value = valueOf(field, path, context);
  const own = typeof value === "object";
  const input = h(
    "select",
    {
      class: "ed-input ed-select",
      disabled: context.readOnly,
      on: {
        change: () => {
          const [width, height] = context.data.sizes[
            typeof context.store.at(path) === "string" ? context.store.at(path) : "A4"
          ] ?? [210, 297];
          write(field, path, context, input.value === "own" ? { width, height } : input.value, input);
          draw();
        },
      },
    },
    (field.options ?? []).map((option) =>
      h(
        "option",
        { value: option.value, selected: option.value === value },
        `${option.label} – ${context.data.sizes[option.value].join(" × ")} mm`,
      ),
    ),
    h("option", { value: "own", selected: own }, "Own size"),
  );
  const body = h("div", { class: "ed-pair" });
  const draw = () =>
    fill(
      body,
      typeof context.store.at(path) === "object"
        ? (field.fields ?? []).map((each) => buildField(each, path, context))
        : null,
    );
  draw();
  return { element: h("div", {}, input, body), input };
}

/** Running totals: off, on, or with labels of one's own. @type {Control} */
function carry(field, path, context) {
  const body = h("div", {});
  const input = h("input", {
    type: "checkbox",
    role: "switch",
    class: "ed-switch",
    id: uid("switch"),
    checked: Boolean(valueOf(field, path, context)),
    disabled: context.readOnly,
    on: {
      change: () => {
        write(field, path, context, input.checked, input);
        draw();
      },
    },
  });
  const draw = () => {
    if (!input.checked) return fill(body);
    const labels = () => (typeof context.store.at(path) === "object" ? context.store.at(path) : {});
    fill(
      body,
      (field.fields ?? []).map((each) => {
        const area = h("input", {
          type: "text",
          class: "ed-input",
          id: uid("input"),
          value: labels()[each.name] ?? "",
          placeholder: each.default,
          readonly: context.readOnly,
          on: {
            input: () => {
              const made = { ...labels(), [each.name]: area.value || undefined };
              for (const name of Object.keys(made)) if (made[name] === undefined) delete made[name];
              context.store.set(path, Object.keys(made).length ? made : true, area);
            },
          },
        });
        complete(
          area,
          expressionSource(context, () => path, false),
        );
        return h(
          "div",
          { class: "ed-field", data: { path: formatPath([...path, each.name]) } },
          h("label", { class: "ed-label", for: area.id }, each.help || each.label),
          area,
        );
      }),
    );
  };
  draw();
  return {
    element: h(
      "div",
      { class: "ed-part" },
      h(
        "div",
        { class: "ed-inline-row" },
        input,
        h("label", { for: input.id, class: "ed-label" }, field.label),
      ),
      h("p", { class: "ed-help" }, field.help),
      body,
    ),
    bare: true,
  };
}

/** Looks of the six levels of headings, beside the house style's. @type {Control} */
function headings(field, path, context) {
  const levels = Object.entries(context.data.headings);
  const looks = [
    { name: "size", label: "Size", min: 4, max: 200 },
    { name: "before", label: "Above", min: 0, max: 200 },
    { name: "after", label: "Below", min: 0, max: 200 },
  ];
  const element = h(
    "div",
    { class: "ed-headings" },
    h(
      "div",
      { class: "ed-headings-row ed-grid-head", "aria-hidden": "true" },
      h("span", {}, "Level"),
      looks.map((look) => h("span", {}, `${look.label} (pt)`)),
      h("span", {}, "Colour"),
    ),
    levels.map(([level, house]) =>
      h(
        "div",
        { class: "ed-headings-row", role: "group", "aria-label": `Heading ${level}` },
        h("span", { class: "ed-headings-level" }, `H${level}`),
        looks
          .map((look) =>
            buildField(
              /** @type {any} */ ({
                ...look,
                control: "number",
                help: "",
                required: false,
                more: false,
                nullable: true,
              }),
              [...path, level],
              context,
              { plain: true },
            ),
          )
          .map((made) => {
            made
              .querySelector("input")
              ?.setAttribute("placeholder", String(/** @type {any} */ (house)[lookOf(made)]));
            return made;
          }),
        buildField(
          /** @type {any} */ ({
            name: "color",
            label: "Colour",
            control: "color",
            help: "",
            required: false,
            more: false,
            nullable: true,
          }),
          [...path, level],
          context,
          { plain: true },
        ),
      ),
    ),
  );
  return { element };
}

/** @param {HTMLElement} made */
const lookOf = (made) => String(made.dataset.path).split(".").at(-1) ?? "";

/** @param {any} context @returns {{id: string, name: string}[]} */
const fontsOf = (context) => context.data.assets.filter((/** @type {any} */ asset) => asset.kind === "font");

/** @type {Control} */
function font(field, path, context) {
  const fonts = fontsOf(context);
  const value = valueOf(field, path, context) ?? "";
  const input = h(
    "select",
    {
      class: "ed-input ed-select",
      disabled: context.readOnly,
      on: { change: () => write(field, path, context, input.value, input) },
    },
    h("option", { value: "" }, fonts.length ? "–" : "No fonts among the assets"),
    value && !fonts.some((each) => each.id === value) ? h("option", { value, selected: true }, value) : null,
    fonts.map((each) => h("option", { value: each.id, selected: each.id === value }, each.name)),
  );
  return { element: input, input };
}

/** An asset, an expression that gives an image, or a file that becomes part of the template. @type {Control} */
function image(field, path, context) {
  const images = context.data.assets.filter((/** @type {any} */ asset) => asset.kind === "image");
  const input = h("input", {
    type: "text",
    class: "ed-input",
    placeholder: "{{logo}}",
    spellcheck: "false",
    on: {
      input: () => {
        write(field, path, context, input.value, input);
        tellName();
      },
      change: () => show(), // an image that was pasted as text
    },
  });
  const removal = h(
    "button",
    {
      type: "button",
      class: "ed-icon-button",
      "aria-label": `${field.label}: remove the embedded image`,
      title: "Remove the embedded image",
      on: {
        click: () => {
          put(context, path, field.required ? "" : undefined, input);
          show();
          input.focus();
        },
      },
    },
    icon("x"),
  );
  // An image that is embedded is none to be written at: it stays until it is removed.
  const show = () => {
    const value = valueOf(field, path, context) ?? "";
    const isEmbedded = /^\s*data:/.test(value);
    input.value = isEmbedded ? "Embedded image" : value;
    input.readOnly = isEmbedded || context.readOnly;
    input.classList.toggle("ed-embedded", isEmbedded);
    removal.hidden = !isEmbedded || context.readOnly;
    tellName();
  };
  const name = h("p", { class: "ed-help" });
  const tellName = () => {
    const named = images.find((/** @type {any} */ asset) => asset.id === valueOf(field, path, context));
    name.hidden = !named;
    name.textContent = named ? `Asset: ${named.name}` : "";
  };
  show();
  const expressions = expressionSource(context, () => path, Boolean(field.row));
  complete(
    input,
    (text, caret, forced) => {
      const found = expressions(text, caret, false);
      if (found) return found;
      if (!forced && text.startsWith("{{")) return null;
      const named = images.filter(
        (/** @type {any} */ asset) =>
          forced || !text || asset.name.toLowerCase().includes(text.toLowerCase()),
      );
      return {
        from: 0,
        to: text.length,
        options: named.map((/** @type {any} */ asset) => ({
          label: asset.name,
          note: "asset",
          insert: asset.id,
        })),
      };
    },
    { always: true },
  );
  const file = h("input", {
    type: "file",
    accept: "image/png,image/jpeg,image/webp,image/svg+xml",
    class: "ed-hidden-file",
    tabindex: -1,
    "aria-hidden": "true",
    on: {
      change: async () => {
        const chosen = file.files?.[0];
        file.value = ""; // so that the same file can be chosen again
        if (!chosen) return;
        if (chosen.size > 3_000_000) {
          toast("The image is larger than 3 MB: upload it as an asset.");
          return;
        }
        const reader = new FileReader();
        reader.onload = () => {
          put(context, path, String(reader.result), input);
          show();
        };
        reader.readAsDataURL(chosen);
      },
    },
  });
  const button = context.readOnly
    ? null
    : h(
        "button",
        {
          type: "button",
          class: "ed-icon-button",
          "aria-label": `${field.label}: embed a file`,
          title: "Embed a file",
          on: { click: () => file.click() },
        },
        icon("upload"),
      );
  return {
    element: h(
      "div",
      {},
      h("div", { class: "ed-image" }, input, removal, button, file),
      name,
    ),
    input,
  };
}

export const objects = { object, paper, carry, headings, font, image };
