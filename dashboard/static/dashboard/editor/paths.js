/** Places in a JSON value, as `["sections", 2, "content"]` or as the text `sections[2].content`. Pure. */

/** @typedef {(string|number)[]} Path */

/** @param {string} text @returns {Path} */
export function parsePath(text) {
  /** @type {Path} */ const path = [];
  for (const [, index, name] of text.matchAll(/\[(\d+)\]|([^.[\]]+)/g)) {
    path.push(index === undefined ? name : Number(index));
  }
  return path;
}

/** @param {Path} path @returns {string} */
export function formatPath(path) {
  return path.reduce(
    (/** @type {string} */ text, part) =>
      typeof part === "number" ? `${text}[${part}]` : text ? `${text}.${part}` : String(part),
    "",
  );
}

/** @param {Path} a @param {Path} b */
export const samePath = (a, b) => a.length === b.length && a.every((part, index) => part === b[index]);

/** Tell whether `path` lies at or below `start`. @param {Path} start @param {Path} path */
export const isBelow = (start, path) =>
  start.length <= path.length && start.every((part, index) => part === path[index]);

/** @param {any} value @param {Path} path @returns {any} */
export function get(value, path) {
  for (const part of path) {
    if (value === null || value === undefined) return undefined;
    value = value[part];
  }
  return value;
}

/**
 * Return a copy with another value at a place; what is beside the way is shared. `undefined` takes a field away.
 * @template T @param {T} root @param {Path} path @param {any} value @returns {T}
 */
export function set(root, path, value) {
  if (path.length === 0) return value;
  const [part, ...rest] = path;
  if (typeof part === "number") {
    const list = Array.isArray(root) ? root.slice() : [];
    list[part] = set(list[part], rest, value);
    return /** @type {any} */ (list);
  }
  const object = { .../** @type {any} */ (root) };
  const changed = set(object[part], rest, value);
  if (changed === undefined) delete object[part];
  else object[part] = changed;
  return object;
}

/** @template T @param {T} root @param {Path} list @param {number} index @param {any} entry @returns {T} */
export function insert(root, list, index, entry) {
  const entries = (get(root, list) ?? []).slice();
  entries.splice(index, 0, entry);
  return set(root, list, entries);
}

/** @template T @param {T} root @param {Path} place the entry of a list @returns {T} */
export function remove(root, place) {
  const list = place.slice(0, -1);
  const entries = get(root, list).slice();
  entries.splice(Number(place.at(-1)), 1);
  return set(root, list, entries);
}

/**
 * Move an entry to another place, in its list or another one. `index` counts after it was taken out, as lists that
 * are sorted by hand do.
 * @template T @param {T} root @param {Path} from @param {Path} list @param {number} index
 * @returns {{root: T, path: Path}}
 */
export function move(root, from, list, index) {
  const entry = get(root, from);
  const target = shifted(list, from);
  return { root: insert(remove(root, from), target, index, entry), path: [...target, index] };
}

/** Where a place is once the entry at `taken` is gone. @param {Path} path @param {Path} taken @returns {Path} */
export function shifted(path, taken) {
  const last = taken.length - 1;
  const position = path[last];
  if (path.length <= last || !isBelow(taken.slice(0, -1), path) || typeof position !== "number") return path;
  return position > Number(taken[last])
    ? [...path.slice(0, last), position - 1, ...path.slice(last + 1)]
    : path;
}

/** @param {any} a @param {any} b @returns {boolean} whether two JSON values are equal */
export function equal(a, b) {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => key in b && equal(a[key], b[key]));
}
