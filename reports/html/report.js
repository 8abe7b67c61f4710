// Fills report.html. Every text is set as text: nothing in the data is ever taken for markup. All
// that can be long is built when it is first looked at.
"use strict";

const lines = document.getElementById("data").textContent.split("\n");
const report = JSON.parse(lines[0]);
const detailsOf = (index) => JSON.parse(lines[index + 1]);

const verdicts = ["fail", "warn", "differs", "error", "skip", "pass"];
const verdictWords = {
  fail: "failed", warn: "warned", differs: "differ", error: "not judged", skip: "skipped", pass: "passed",
};
const levels = ["must", "should", "may", "contract"];
const byId = (id) => document.getElementById(id);

// An element with attributes, listeners (on…) and children; strings become text.
function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (value === true) element.setAttribute(key, "");
    else if (value !== false && value !== undefined) element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}

const several = (count, one, many) => `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
const badge = (verdict) => make("span", { class: `verdict ${verdict}` }, verdict);
const code = (text) => make("code", {}, text);

// Only addresses of the web are links.
function link(address, text) {
  return /^https?:\/\//.test(address) ? make("a", { href: address, rel: "noreferrer" }, text) : make("span", {}, text);
}

// --- Requirements and results ------------------------------------------------------------------

const requirements = new Map(report.requirements.map((one) => [one.id, one]));
const plainLevel = (level) => level.replace(/_not$/, "");
const variantOf = (result) => [result.revision, result.transport].filter(Boolean).join(" ");
const keyOf = (result) => [result.case, result.revision, result.transport].join("|");
const indexByKey = new Map(report.results.map((result, index) => [keyOf(result), index]));

for (const result of report.results) {
  const findings = result.findings ?? [];
  const ids = new Set([...result.requires, ...findings.map((finding) => finding.requirement)]);
  const known = [...ids].map((id) => requirements.get(id)).filter(Boolean);
  result.areas = new Set(known.map((one) => one.area));
  result.levels = new Set([
    ...known.map((one) => plainLevel(one.level)), ...findings.map((finding) => plainLevel(finding.level))]);
  result.words = [result.case, result.title, result.why ?? "", ...ids, ...findings.map((finding) => finding.message)]
    .join("\n").toLowerCase();
}

// --- JSON as it stood on the wire ----------------------------------------------------------------

// Parses without losing anything: scalars keep their text, members their order and duplicates.
// Null where `text` is no JSON.
function parse(text) {
  const tokens = /\s*(?:("(?:[^"\\]|\\.)*")|(-?\d[\d.eE+-]*)|(true|false|null)|([{}[\],:]))/gy;
  let kind, token;
  const next = () => {
    const found = tokens.exec(text);
    if (!found) throw new SyntaxError("no JSON");
    token = found[1] ?? found[2] ?? found[3] ?? found[4];
    kind = found[1] !== undefined ? "string" : found[2] !== undefined ? "number" : found[3] !== undefined ? "word" : token;
  };
  const value = () => {
    if (kind === "{" || kind === "[") {
      const [type, end] = kind === "{" ? ["object", "}"] : ["array", "]"];
      const node = { type, members: [] };
      next();
      while (kind !== end) {
        if (node.members.length > 0) {
          if (kind !== ",") throw new SyntaxError("no JSON");
          next();
        }
        const member = {};
        if (type === "object") {
          if (kind !== "string") throw new SyntaxError("no JSON");
          member.key = token;
          next();
          if (kind !== ":") throw new SyntaxError("no JSON");
          next();
        }
        member.node = value();
        node.members.push(member);
        next();
      }
      return node;
    }
    if (!["string", "number", "word"].includes(kind)) throw new SyntaxError("no JSON");
    return { type: kind, text: token };
  };
  try {
    next();
    const node = value();
    return text.slice(tokens.lastIndex).trim() === "" ? node : null;
  } catch {
    return null;
  }
}

// The characters of a string node.
function charactersOf(node) {
  try {
    return JSON.parse(node.text);
  } catch {
    return node.text.slice(1, -1);
  }
}

const find = (node, key) => node?.type === "object"
  ? node.members.findLast((member) => charactersOf({ text: member.key }) === key)?.node : undefined;

function equal(a, b) {
  if (a.type !== b.type) return false;
  if (a.type === "number") return Number(a.text) === Number(b.text);
  if (a.type === "string") return charactersOf(a) === charactersOf(b);
  if (a.type === "word") return a.text === b.text;
  if (a.members.length !== b.members.length) return false;
  return a.members.every((member, i) => a.type === "array"
    ? equal(member.node, b.members[i].node)
    : find(b, charactersOf({ text: member.key })) && equal(member.node, find(b, charactersOf({ text: member.key }))));
}

const kinds = {
  $any: () => true,
  $string: (node) => node.type === "string",
  $timestamp: (node) => node.type === "string",
  $number: (node) => node.type === "number",
  $integer: (node) => node.type === "number" && Number.isInteger(Number(node.text)),
  $boolean: (node) => node.text === "true" || node.text === "false",
  $null: (node) => node.text === "null",
  $array: (node) => node.type === "array",
  $object: (node) => node.type === "object",
};

const holds = (pattern, node) => differences(pattern, node).size === 0;

const tests = {
  $regex: (argument, node) => {
    if (node.type !== "string") return false;
    try {
      return new RegExp(charactersOf(argument), "u").test(charactersOf(node));
    } catch {
      return true;
    }
  },
  $oneOf: (argument, node) => argument.members.some((member) => equal(member.node, node)),
  $not: (argument, node) => !holds(argument, node),
  $contains: (argument, node) => node.type === "array"
    ? node.members.some((member) => holds(argument, member.node))
    : node.type === "string" && argument.type === "string" && charactersOf(node).includes(charactersOf(argument)),
  $gte: (argument, node) => node.type === "number" && Number(node.text) >= Number(argument.text),
  $lte: (argument, node) => node.type === "number" && Number(node.text) <= Number(argument.text),
};

// What does not fit, of the pattern as of the value: a set of nodes. It is a help for the eye; what
// the harness found stands beside it. Matchers that cannot be told from here are taken to hold.
function differences(pattern, node) {
  const marks = new Set();
  const differ = (...nodes) => nodes.forEach((one) => one && marks.add(one));
  const join = (others) => others.forEach((one) => marks.add(one));
  if (pattern.type === "string") {
    const word = charactersOf(pattern);
    if (word === "$absent") {
      if (node) differ(pattern, node);
      return marks;
    }
    if (word in kinds) {
      if (!node || !kinds[word](node)) differ(pattern, node);
      return marks;
    }
  }
  const keys = pattern.type === "object" ? pattern.members.map((member) => charactersOf({ text: member.key })) : [];
  if (keys.length === 1 && /^(\$anyOf|anyOf)$/.test(keys[0])) {
    const tries = pattern.members[0].node.members.map((member) => differences(member.node, node));
    tries.sort((a, b) => a.size - b.size);
    if (tries.length > 0) join(tries[0]);
    return marks;
  }
  if (!node) {
    differ(pattern);
    return marks;
  }
  if (keys.length > 0 && keys.every((key) => key.startsWith("$") && !key.startsWith("$$"))) {
    for (const [i, key] of keys.entries()) {
      const argument = pattern.members[i].node;
      if (key === "$every" && node.type === "array") {
        node.members.forEach((member) => join(differences(argument, member.node)));
      } else if (key in tests && !tests[key](argument, node)) {
        differ(pattern, node);
      }
    }
    return marks;
  }
  if (pattern.type === "object" && node.type === "object") {
    for (const [i, key] of keys.entries()) {
      join(differences(pattern.members[i].node, find(node, key.replace(/^\$\$/, "$"))));
    }
    // An error came where a result was wanted, or the other way round.
    for (const [wanted, other] of [["result", "error"], ["error", "result"]]) {
      if (keys.includes(wanted) && !find(node, wanted) && find(node, other)) differ(find(node, other));
    }
    return marks;
  }
  if (pattern.type === "array" && node.type === "array" && pattern.members.length === node.members.length) {
    pattern.members.forEach((member, i) => join(differences(member.node, node.members[i].node)));
    return marks;
  }
  if (!equal(pattern, node)) differ(pattern, node);
  return marks;
}

const longestFolded = 300; // characters of one value
const linesFolded = 22;
const deepestIndent = 12;

// Lines of a value: { depth, parts: [[class, text]…], marked }.
function layOut(node, marks) {
  const out = [];
  const walk = (one, depth, before, after, inMark) => {
    const marked = inMark || marks.has(one);
    const put = (...parts) => out.push({ depth, marked, parts });
    if (one.members === undefined) {
      put(...before, [one.type, one.text], ...after);
      return;
    }
    const [open, close] = one.type === "object" ? ["{", "}"] : ["[", "]"];
    if (one.members.length === 0) {
      put(...before, ["", open + close], ...after);
      return;
    }
    put(...before, ["", open]);
    one.members.forEach((member, i) => {
      const key = member.key === undefined ? [] : [["key", member.key], ["", ": "]];
      walk(member.node, depth + 1, key, i + 1 < one.members.length ? [["", ","]] : [], marked);
    });
    put(["", close], ...after);
  };
  walk(node, 0, [], [], false);
  return out;
}

function showLine(line, whole) {
  const parts = line.parts.map(([kind, text]) => {
    const cut = whole || text.length <= longestFolded ? text
      : `${text.slice(0, longestFolded)}… (${text.length.toLocaleString("en")} characters)`;
    return kind ? make("span", { class: kind }, cut) : cut;
  });
  const shown = make("span", { class: "line" }, ...(line.marked ? [make("mark", {}, ...parts)] : parts));
  shown.style.paddingLeft = `${2 * Math.min(line.depth, deepestIndent) + 2}ch`;
  return shown;
}

// What of the lines is worth showing at first: around the marks, or the beginning.
function outline(all) {
  if (all.length <= linesFolded) return all.map(() => true);
  const kept = all.map((_, i) => i < 2 || i === all.length - 1);
  const marked = all.flatMap((line, i) => (line.marked ? [i] : []));
  if (marked.length === 0) return all.map((_, i) => i < linesFolded - 2);
  for (const i of marked.slice(0, 12)) {
    for (let near = i - 2; near <= i + 2; ++near) if (near >= 0 && near < all.length) kept[near] = true;
  }
  return kept;
}

// A value or a line of the wire, folded where it is long.
function show(part, marks = new Set(), node = parse(part.text)) {
  const all = node ? layOut(node, marks) : [{ depth: 0, marked: false, parts: [["", part.text]] }];
  const kept = outline(all);
  const long = kept.includes(false) || all.some((line) => line.parts.some(([, text]) => text.length > longestFolded));
  const pre = make("pre", { class: "json" });
  const fill = (whole) => {
    pre.replaceChildren();
    let gap = 0;
    const endGap = () => {
      if (gap > 0) pre.append(make("span", { class: "gap" }, `… ${several(gap, "line", "lines")}`));
      gap = 0;
    };
    all.forEach((line, i) => {
      if (!whole && !kept[i]) {
        ++gap;
        return;
      }
      endGap();
      pre.append(showLine(line, whole));
    });
    endGap();
  };
  fill(!long);
  const box = make("div", {}, pre);
  if (long) {
    const button = make("button", { type: "button", class: "link more", "aria-expanded": "false", onclick: () => {
      const whole = button.getAttribute("aria-expanded") === "false";
      button.setAttribute("aria-expanded", String(whole));
      button.textContent = whole ? "Fold" : "Show all";
      fill(whole);
    } }, "Show all");
    box.append(button);
  }
  if (part.bytes) {
    box.append(make("p", { class: "aside" },
      `Cut: all ${part.bytes.toLocaleString("en")} bytes are in report.json.`));
  }
  return box;
}

// --- Evidence ------------------------------------------------------------------------------------

const marksOfDirections = { out: "→", in: "←", err: "!", event: "·" };
const wordsOfDirections = { out: "sent", in: "received", err: "on stderr", event: "event" };

function panel(title, ...children) {
  return make("div", { class: "panel" }, make("h4", {}, title), make("div", {}, ...children));
}

function messagesOf(wire, render) {
  return wire.map((line) => make("div", { class: "message" },
    ...(line.conn ? [make("p", { class: "aside" }, `on connection ${line.conn}`)] : []),
    ...(line.dir === "err" || line.dir === "event" ? [make("p", { class: "aside" }, wordsOfDirections[line.dir])] : []),
    render(line)));
}

// A step that looks at an earlier answer sends nothing: the request that was answered.
function requestOf(answer, details) {
  const id = find(answer, "id");
  return id && details.wire.findLast((line) => {
    const message = line.dir === "out" ? parse(line.text) : null;
    return find(message, "method") && find(message, "id") && equal(find(message, "id"), id);
  });
}

// Sent, received and expected of one finding, side by side.
function exchange(finding, details) {
  const wire = finding.wire.map((number) => details.wire[number]);
  const sent = wire.filter((line) => line.dir === "out");
  const received = wire.filter((line) => line.dir !== "out");
  const expected = finding.expected && parse(finding.expected.text);
  const actual = finding.actual && parse(finding.actual.text);
  const marks = expected && actual ? differences(expected, actual) : new Set();
  const request = sent.length === 0 && actual ? requestOf(actual, details) : undefined;
  if (request) sent.push(request);
  // What came, marked where it is the message that was judged.
  let marked = false;
  const came = messagesOf(received, (line) => {
    const node = line.dir === "in" ? parse(line.text) : null;
    if (!marked && node && actual && equal(node, actual)) {
      marked = true;
      return show(line, marks, actual);
    }
    return show(line);
  });
  if (finding.actual && !marked) {
    came.push(make("div", { class: "message" },
      ...(received.length > 0 ? [make("p", { class: "aside" }, "judged of it")] : []),
      show(finding.actual, marks, actual)));
  }
  const wanted = finding.expected ? show(finding.expected, marks, expected ?? undefined)
    : make("p", {}, finding.text || "What the requirement says.");
  return make("div", { class: "evidence" },
    panel("Sent", ...(sent.length > 0 ? messagesOf(sent, (line) => show(line)) : ["nothing"])),
    panel("Received", ...(came.length > 0 ? came : ["nothing"])),
    panel("Expected", wanted));
}

async function copyText(text, button) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = make("textarea", { "aria-hidden": "true" });
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
    button.focus();
  }
  button.textContent = "Copied";
  setTimeout(() => { button.textContent = "Copy"; }, 1500);
}

function copyBlock(text, name) {
  const button = make("button", { type: "button", "aria-label": `Copy the ${name}`,
    onclick: () => copyText(text, button) }, "Copy");
  return make("div", { class: "copy" },
    make("pre", { tabindex: "0", role: "group", "aria-label": name }, text), button);
}

function lazyDetails(title, build) {
  const box = make("details", { class: "lazy" }, make("summary", {}, title));
  box.addEventListener("toggle", () => {
    if (box.open && box.children.length === 1) box.append(build());
  });
  return box;
}

function reproduce(details) {
  return [
    make("h3", {}, "Show it again"),
    copyBlock(details.command, "command"),
    ...(details.file ? [lazyDetails("The case as a file (assay run --only-cases FILE)",
      () => copyBlock(details.file, "case file"))] : []),
  ];
}

function rule(finding) {
  return [
    ...(finding.text ? [make("blockquote", {}, finding.text)] : []),
    make("p", { class: "aside" }, finding.line, finding.link ? " · " : "",
      ...(finding.link ? [link(finding.link, "the specification")] : [])),
    ...(finding.reason ? [make("p", {}, `Known: ${finding.reason}`)] : []),
  ];
}

const caseAddress = (index) => `#${new URLSearchParams({ case: keyOf(report.results[index]) })}`;

function caseLink(index) {
  const result = report.results[index];
  return make("a", { href: caseAddress(index) }, code(result.case), ` (${variantOf(result)})`);
}

function namesOf(indices) {
  const list = make("ul", { class: "names" });
  const shown = 12;
  const add = (some) => list.append(...some.map((index) => make("li", {}, caseLink(index))));
  add(indices.slice(0, shown));
  if (indices.length <= shown) return [list];
  const button = make("button", { type: "button", class: "link more", onclick: () => {
    add(indices.slice(shown));
    button.remove();
  } }, `and ${indices.length - shown} more`);
  return [list, button];
}

// --- At a glance ---------------------------------------------------------------------------------

const target = report.target;
const filterAddress = (filter) => `#${new URLSearchParams(filter)}`;

function showGlance() {
  byId("name").textContent = [target.name || "A server", target.version].filter(Boolean).join(" ");
  byId("meaning").textContent = report.meaning;
  byId("made").textContent = `Assay ${report.version}, ${report.started}`;
  const total = report.results.length;
  const bar = make("div", { class: "bar", "aria-hidden": "true" });
  const legend = make("ul", { class: "legend" });
  for (const verdict of verdicts) {
    const count = report.counts[verdict] ?? 0;
    if (count === 0) continue;
    const part = make("span", { class: verdict });
    part.style.flexGrow = String(count / total);
    part.style.background = `var(--${verdict})`;
    bar.append(part);
    legend.append(make("li", {}, make("a", { href: filterAddress({ verdict }) },
      badge(verdict), " ", make("b", {}, count.toLocaleString("en")), ` ${verdictWords[verdict]}`)));
  }
  byId("verdicts").append(...(total > 0 ? [bar, legend] : [make("p", {}, "No case ran.")]));

  const facts = byId("facts");
  const fact = (name, ...values) => {
    if (values.some((value) => value)) facts.append(make("dt", {}, name), make("dd", {}, ...values));
  };
  const tags = (words) => words.map((word) => make("span", { class: "tag" }, word));
  fact("Eras", ...tags(target.eras));
  fact("Revisions", ...tags(target.revisions));
  fact("Era policy", { locked: "locked: the first request decides for the connection",
    "per-message": "per message: each request chooses its era" }[target.policy] ?? target.policy);
  fact("Tasks", ...(target.tasks.length > 0 ? tags(target.tasks) : ["none"]));
  for (const [era, names] of Object.entries(target.capabilities)) {
    fact(`Capabilities, ${era}`, ...(names.length > 0 ? tags(names) : ["none"]));
  }
  fact("Transport", target.transport);
  fact("Started by", target.command && code(target.command));
  fact("At", target.url && code(target.url));
  fact("Profile", target.profile);
  fact("Required", report.required.join(", "));
  fact("Took", report.duration + (report.partial ? ", interrupted" : ""));
  for (const stale of report.stale) {
    fact("Stale baseline entry", code(stale.place), ` ${stale.case} did not fail for ${stale.requirement}`);
  }
}

// --- The eras ------------------------------------------------------------------------------------

// https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning#compatibility-matrix
// Dual-era servers stand in its text and in its last rows.
const outcomes = {
  modern: {
    modern: [true, "Discovery is optional; a version mismatch is told by an error that names what is supported."],
    dual: [true, "A request with its envelope is served statelessly."],
    legacy: [false, "The server rejects the request, stays silent or misreads it."],
  },
  dual: {
    modern: [true, "The probe succeeds or is refused with a modern error: the client stays modern."],
    dual: [true, "The probe succeeds: the client stays modern."],
    legacy: [true, "The probe gets no modern answer: the client falls back to initialize."],
  },
  legacy: {
    modern: [false, "initialize is rejected; the error should name the versions that are supported."],
    dual: [true, "initialize is answered and a legacy revision negotiated."],
    legacy: [true, "As the legacy revision says."],
  },
};
const eraNames = { modern: "Modern", dual: "Dual-era", legacy: "Legacy" };

function observed(client) {
  const served = (era) => target.eras.includes(era);
  const era = client === "dual" ? (served("modern") ? "modern" : "legacy") : client;
  if (!served(era)) {
    return [make("b", {}, "Seen: refused. "), target.refusals[era] ?? "It does not serve this era."];
  }
  const revision = target.revisions.find((one) => (one >= "2026") === (era === "modern")) ?? era;
  const failed = report.results.filter((result) => result.era === era && result.verdict === "fail").length;
  const judged = report.results.filter((result) => result.era === era && result.verdict !== "skip").length;
  const text = client !== "dual" ? "" : era === "modern" ? "stays modern, " : "falls back, ";
  return [make("b", {}, "Seen: served. "), `${text}${revision}; ${several(judged, "case", "cases")} judged, `,
    failed > 0 ? make("a", { href: filterAddress({ verdict: "fail", era }) }, `${failed} failed`) : "none failed"];
}

function showEras() {
  const dual = target.eras.length > 1;
  const own = dual ? "dual" : target.eras[0];
  const table = byId("matrix");
  const head = make("tr", {}, make("th", { scope: "col" }, "Client"));
  for (const server of Object.keys(eraNames)) {
    head.append(make("th", { scope: "col", class: server === own ? "here" : "" },
      `${eraNames[server]} server${server === own ? ": this one" : ""}`));
  }
  table.append(make("thead", {}, head));
  const body = make("tbody");
  for (const client of Object.keys(eraNames)) {
    const row = make("tr", {}, make("th", { scope: "row" }, `${eraNames[client]} client`));
    for (const server of Object.keys(eraNames)) {
      const [works, why] = outcomes[client][server];
      const cell = make("td", { class: server === own ? "here" : "" },
        make("b", {}, works ? "Works. " : "Fails. "), why);
      if (server === own) cell.append(make("div", { class: "seen" }, ...observed(client)));
      row.append(cell);
    }
    body.append(row);
  }
  table.append(body);
}

// --- Causes and findings -------------------------------------------------------------------------

const weight = (verdict) => verdicts.indexOf(verdict);
const places = []; // of every finding: [result, finding]
report.results.forEach((result, r) => (result.findings ?? []).forEach((_, f) => places.push([r, f])));
const findingAt = ([r, f]) => report.results[r].findings[f];

function counts(finding) {
  const level = { fail: "must", warn: "should", differs: "contract" }[finding.as];
  return !finding.known && report.required.includes(level);
}

// A finding that several places share. Built when it is opened.
function group(title, places_) {
  const first = findingAt(places_[0]);
  const indices = [...new Set(places_.map(([r]) => r))];
  const remark = first.known ? "known" : counts(first) ? "" : "does not count";
  const body = make("div");
  const box = make("details", { class: "group", "data-requirement": first.requirement },
    make("summary", {}, make("span", { class: "times" }, several(indices.length, "case", "cases")), badge(first.as),
      make("span", { class: "what" }, title, " ", make("span", { class: "id mono" }, first.requirement)),
      ...(remark ? [make("span", { class: "uncounted" }, ` (${remark})`)] : [])),
    body);
  const build = () => {
    if (body.hasChildNodes()) return;
    const [r, f] = places_[0];
    const details = detailsOf(r);
    const finding = details.findings[f];
    body.append(...rule(finding),
      make("h3", {}, "For example ", caseLink(r)),
      ...(title === first.message ? [] : [make("p", {}, first.message)]),
      exchange(finding, details), ...reproduce(details));
    const others = indices.filter((index) => index !== r);
    if (others.length > 0) body.append(make("h3", {}, `Also in ${several(others.length, "case", "cases")}`), ...namesOf(others));
  };
  box.addEventListener("toggle", () => { if (box.open) build(); });
  box.build = build;
  return box;
}

function showFindings() {
  const causeOf = (finding) => finding.known ? -1 : report.causes.findIndex((cause) =>
    cause.requirement === finding.requirement && cause.message === finding.message && cause.as === finding.as);
  const causes = report.causes.map(() => []);
  const groups = new Map();
  for (const place of places) {
    const finding = findingAt(place);
    const cause = causeOf(finding);
    if (cause >= 0) {
      causes[cause].push(place);
      continue;
    }
    const key = [finding.requirement, finding.as, Boolean(finding.known)].join("|");
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(place);
  }
  const fill = (id, lists, nothing) => {
    const box = byId(id).querySelector(".groups");
    const rank = (list) => [counts(findingAt(list[0])) ? 0 : 1, weight(findingAt(list[0]).as), -list.length];
    lists.sort((a, b) => rank(a).map((x, i) => x - rank(b)[i]).find((x) => x !== 0) ?? 0);
    box.append(...lists.map((list) => group(findingAt(list[0]).message, list)));
    if (lists.length === 0) box.append(make("p", {}, nothing));
  };
  const common = causes.filter((list) => list.length > 0);
  fill("causes", common, "Nothing shows in many cases at once.");
  fill("findings", [...groups.values()], common.length > 0 ? "None beside those above." : "None.");
}

// --- What was not judged -------------------------------------------------------------------------

function showNotJudged() {
  const box = byId("not-judged").querySelector(".groups");
  const collect = (items, reason) => {
    const groups = new Map();
    for (const item of items) groups.set(reason(item), [...(groups.get(reason(item)) ?? []), item]);
    return [...groups].sort((a, b) => b[1].length - a[1].length);
  };
  const add = (title, reason, build) => {
    const body = make("div");
    const details = make("details", { class: "group" },
      make("summary", {}, make("span", { class: "times" }, title), make("span", {}, reason || "no reason given")), body);
    details.build = () => { if (!body.hasChildNodes()) body.append(...build()); };
    details.addEventListener("toggle", () => { if (details.open) details.build(); });
    box.append(details);
  };
  const indexed = report.results.map((result, index) => ({ result, index }));
  for (const [why, list] of collect(indexed.filter(({ result }) => result.verdict === "error"), ({ result }) => result.why)) {
    add(several(list.length, "case", "cases"), `Assay could not do its work: ${why}`, () => namesOf(list.map((one) => one.index)));
  }
  const open = report.requirements.filter((one) => one.state === "not-judged");
  for (const [why, list] of collect(open, (one) => one.why)) {
    add(several(list.length, "requirement", "requirements"), why, () => [make("ul", { class: "names" }, ...list.map((one) =>
      make("li", {}, one.link ? link(one.link, one.id) : one.id, one.text ? `: ${one.text}` : "")))]);
  }
  for (const [why, list] of collect(indexed.filter(({ result }) => result.verdict === "skip"), ({ result }) => result.why)) {
    add(several(list.length, "case", "cases"), `Skipped: ${why}`, () => namesOf(list.map((one) => one.index)));
  }
  if (!box.hasChildNodes()) box.append(make("p", {}, "Everything was judged."));
}

// --- Measured ------------------------------------------------------------------------------------

function showMeasured() {
  const { columns, rows: measurements, words } = report.measured;
  if (measurements.length === 0 && words.length === 0) return;
  const section = byId("measured");
  section.hidden = false;
  document.querySelector('nav a[href="#measured"]').hidden = false;
  section.querySelector("table").append(
    make("thead", {}, make("tr", {}, ...columns.map((title) => make("th", { scope: "col" }, title || "What")))),
    make("tbody", {}, ...measurements.map(([name, ...cells]) =>
      make("tr", {}, make("th", { scope: "row" }, name), ...cells.map((cell) => make("td", {}, cell))))));
  section.querySelector(".words").append(...words.map((sentence) => make("p", {}, sentence)));
}

// --- Coverage ------------------------------------------------------------------------------------

function showCoverage() {
  const table = byId("areas");
  table.append(make("thead", {}, make("tr", {}, ...["Area", "Requirements", "Passed", "Failed", "Not judged", "Judged"].map(
    (title) => make("th", { scope: "col" }, title)))));
  const body = make("tbody");
  for (const area of report.areas) {
    const own = report.requirements.filter((one) => one.area === area);
    if (own.length === 0) continue;
    const count = (state) => own.filter((one) => one.state === state).length;
    const [passed, failed] = [count("passed"), count("failed")];
    const bar = make("div", { class: "bar", "aria-hidden": "true" });
    for (const [share, verdict] of [[passed, "pass"], [failed, "fail"]]) {
      const part = make("span");
      part.style.width = `${(100 * share) / own.length}%`;
      part.style.background = `var(--${verdict})`;
      if (share > 0) bar.append(part);
    }
    const number = (value) => make("td", { class: "number" }, value.toLocaleString("en"));
    body.append(make("tr", {}, make("th", { scope: "row" }, make("a", { href: filterAddress({ area }) }, area)),
      number(own.length), number(passed), number(failed), number(own.length - passed - failed),
      make("td", {}, make("div", { class: "share" },
        make("span", {}, `${Math.round((100 * (passed + failed)) / own.length)} %`), bar))));
  }
  table.append(body);
}

// --- All cases -----------------------------------------------------------------------------------

const form = byId("filter");
const rows = byId("rows");
const more = byId("more");
const rowsAtOnce = 100;
let selected = []; // indices of the results that the filter keeps
let built = 0;     // how many of them have a row

function setUpFilter() {
  for (const verdict of verdicts) {
    byId("chips").append(make("label", {}, make("input", { type: "checkbox", name: "verdict", value: verdict }), badge(verdict)));
  }
  const offer = (name, values) => values.forEach((value) => form.elements[name].append(make("option", { value }, value)));
  offer("era", [...new Set(report.results.map((result) => result.era))].sort());
  offer("level", levels);
  offer("area", report.areas.filter((area) => report.results.some((result) => result.areas.has(area))));
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", () => { saveFilter(); applyFilter(); });
  form.addEventListener("reset", () => setTimeout(() => { saveFilter(); applyFilter(); }));
  more.addEventListener("click", () => buildRows(rowsAtOnce));
}

function readFilter() {
  const filter = {};
  for (const name of ["q", "era", "level", "area"]) {
    const value = form.elements[name].value.trim();
    if (value) filter[name] = value;
  }
  const chosen = [...form.querySelectorAll("[name=verdict]:checked")].map((box) => box.value);
  if (chosen.length > 0) filter.verdict = chosen.join(",");
  return filter;
}

function saveFilter() {
  history.replaceState(null, "", `#${new URLSearchParams(readFilter())}`);
}

function writeFilter(filter) {
  for (const name of ["q", "era", "level", "area"]) form.elements[name].value = filter.get(name) ?? "";
  const chosen = (filter.get("verdict") ?? "").split(",");
  for (const box of form.querySelectorAll("[name=verdict]")) box.checked = chosen.includes(box.value);
}

function applyFilter() {
  const filter = readFilter();
  const words = (filter.q ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  const chosen = filter.verdict?.split(",");
  selected = [];
  report.results.forEach((result, index) => {
    if (chosen && !chosen.includes(result.verdict)) return;
    if (filter.era && result.era !== filter.era) return;
    if (filter.level && !result.levels.has(filter.level)) return;
    if (filter.area && !result.areas.has(filter.area)) return;
    if (words.every((word) => result.words.includes(word))) selected.push(index);
  });
  rows.replaceChildren();
  built = 0;
  buildRows(rowsAtOnce);
}

function buildRows(count) {
  const some = selected.slice(built, built + count);
  rows.append(...some.map(row));
  built += some.length;
  more.hidden = built >= selected.length;
  byId("shown").textContent = `${selected.length.toLocaleString("en")} of ${several(report.results.length, "case", "cases")}` +
    (built < selected.length ? `; the first ${built} are shown` : "");
}

function row(index) {
  const result = report.results[index];
  const item = make("li", { "data-index": index });
  const button = make("button", { type: "button", class: "row", "aria-expanded": "false", onclick: () => {
    const open = button.getAttribute("aria-expanded") === "false";
    setOpen(item, open);
    const address = open ? new URLSearchParams({ ...readFilter(), case: keyOf(result) }) : new URLSearchParams(readFilter());
    history.replaceState(null, "", `#${address}`);
  } }, badge(result.verdict),
    make("span", {}, code(result.case), make("span", { class: "title" }, result.known ? `${result.title} (known: ${result.known})` : result.title)),
    make("span", { class: "variant" }, [variantOf(result), result.source].filter(Boolean).join(" ")));
  item.append(button);
  return item;
}

function setOpen(item, open) {
  item.querySelector(".row").setAttribute("aria-expanded", String(open));
  item.querySelector(".detail")?.remove();
  if (open) item.append(caseDetails(Number(item.dataset.index)));
}

function caseDetails(index) {
  const result = report.results[index];
  const details = detailsOf(index);
  const box = make("div", { class: "detail" });
  box.append(make("p", { class: "aside" }, [details.at, `${details.ms} ms`].filter(Boolean).join(" · ")));
  if (result.why) box.append(make("p", {}, result.why));
  if (details.repeat_differs) box.append(make("p", {}, "A second run, alone, ended otherwise."));
  details.findings.forEach((finding, i) => {
    const outlined = result.findings[i];
    box.append(make("h3", {}, badge(outlined.as), " ", outlined.message), ...rule(finding), exchange(finding, details));
  });
  if (details.unjudged.length > 0) {
    box.append(make("h3", {}, "Could not be judged"), make("ul", { class: "names" }, ...details.unjudged.map((one) => make("li", {}, one))));
  }
  if (details.wire.length > 0) {
    box.append(lazyDetails(`The whole exchange (${several(details.wire.length, "line", "lines")})`, () => wholeWire(details)));
  }
  box.append(make("p", { class: "aside" }, "Checks: ", result.requires.join(", ") || "nothing of its own"), ...reproduce(details));
  return box;
}

function wholeWire(details) {
  const list = make("ol", { class: "wire" }, ...details.wire.map((line) => make("li", {},
    make("span", { class: "at mono" }, `${(line.us / 1000).toFixed(2)} ms`),
    make("span", { role: "img", "aria-label": wordsOfDirections[line.dir] ?? line.dir }, marksOfDirections[line.dir] ?? "·"),
    make("div", { class: "mono" }, line.conn ? `[${line.conn}] ` : "",
      line.text.length <= 1000 ? line.text : show({ text: line.text, bytes: line.bytes })))));
  if (details.left_out > 0) {
    list.append(make("li", {}, make("span"), make("span"), `${several(details.left_out, "line more is", "lines more are")} in report.json.`));
  }
  return list;
}

// --- Addresses -----------------------------------------------------------------------------------

// #findings is a place on the page; #verdict=fail&case=… is a filter and an open case;
// #finding=M-… an open finding.
function followAddress() {
  const hash = location.hash.slice(1);
  if (hash !== "" && !hash.includes("=")) return;
  const address = new URLSearchParams(hash);
  const finding = address.get("finding");
  if (finding !== null) {
    const boxes = [...document.querySelectorAll("details[data-requirement]")].filter((box) => box.dataset.requirement === finding);
    boxes.forEach((box) => { box.open = true; });
    boxes[0]?.scrollIntoView();
    boxes[0]?.querySelector("summary").focus({ preventScroll: true });
    return;
  }
  writeFilter(address);
  applyFilter();
  const wanted = indexByKey.get(address.get("case"));
  if (wanted === undefined) {
    if (hash !== "") byId("cases").scrollIntoView();
    return;
  }
  if (!selected.includes(wanted)) {
    writeFilter(new URLSearchParams());
    applyFilter();
  }
  buildRows(Math.max(0, selected.indexOf(wanted) + 20 - built));
  const item = rows.querySelector(`[data-index="${wanted}"]`);
  setOpen(item, true);
  item.scrollIntoView();
  item.querySelector(".row").focus({ preventScroll: true });
}

showGlance();
showEras();
showFindings();
showNotJudged();
showMeasured();
showCoverage();
setUpFilter();
applyFilter();
followAddress();
addEventListener("hashchange", followAddress);
// On paper nothing can be opened: findings are, and every case has its line.
addEventListener("beforeprint", () => {
  document.querySelectorAll("#causes details.group, #findings details.group").forEach((box) => {
    box.build();
    box.open = true;
  });
  buildRows(selected.length);
});
