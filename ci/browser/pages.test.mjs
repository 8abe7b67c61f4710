// Assay's pages in a browser: nothing is logged, nothing runs that is not ours, and what people click on works.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { hostile, hostileTexts, large } from "./reports.mjs";

const require = createRequire(join(process.env.PACKAGES, "package.json"));
const { chromium } = require("playwright-core");
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

const assay = process.env.ASSAY;
const server = join(assay, "..", "assay-reference-server");
const faults = ["retired-not-found-code", "unsupported-is-invalid-params", "content-missing", "no-cache-hints"];
const place = mkdtempSync(join(tmpdir(), "assay-pages-"));
let browser;

const run = (...words) => spawnSync(assay, words, { encoding: "utf8" });

// The page of a report that we made up.
function pageOf(name, report) {
  const json = join(place, `${name}.json`);
  writeFileSync(json, JSON.stringify(report));
  run("merge", json, "--report", join(place, name));
  return join(place, name, "report.html");
}

const judged = join(place, "run", "report.html");
before(async () => {
  run("run", "--report", join(place, "run"), "--", server, ...faults.flatMap((fault) => ["--fault", fault]));
  browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
});

after(async () => {
  await browser?.close();
  rmSync(place, { recursive: true, force: true });
});

// Opens a page that must log nothing and ask the network for nothing.
async function open(file, { hash = "", ...settings } = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...settings });
  const page = await context.newPage();
  page.complaints = [];
  page.on("console", (message) => page.complaints.push(message.text()));
  page.on("pageerror", (error) => page.complaints.push(error.message));
  page.on("dialog", (dialog) => { page.complaints.push(dialog.message()); dialog.dismiss(); });
  page.on("request", (request) => {
    if (!request.url().startsWith("file://")) page.complaints.push(request.url());
  });
  await page.goto(`file://${file}${hash}`);
  return page;
}

async function openEverything(page) {
  await page.evaluate(() => document.querySelectorAll("details").forEach((box) => { box.open = true; }));
  await page.evaluate(() => document.querySelectorAll(".row").forEach((row, i) => { if (i < 12) row.click(); }));
  await page.waitForFunction(() => document.querySelectorAll(".evidence").length > 0);
  await page.evaluate(() => document.querySelectorAll("details.lazy").forEach((box, i) => { if (i < 12) box.open = true; }));
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

const overflow = (page) => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

test("a run with findings opens, and everything in it, without a complaint", async () => {
  const page = await open(judged);
  await openEverything(page);
  assert.deepEqual(page.complaints, []);
  assert.match(await page.textContent("h1"), /assay-reference-server/);
  assert.match(await page.textContent("#matrix"), /this one.*Seen: served/s);
});

test("the page filters, searches and counts, and keeps that in its address", async () => {
  const page = await open(judged);
  const shown = () => page.textContent("#shown");
  const all = await shown();
  await page.check("#chips input[value=fail]");
  const failed = await shown();
  assert.notEqual(failed, all);
  assert.equal(await page.locator("#rows > li .verdict:not(.fail)").count(), 0);
  await page.waitForURL(/#verdict=fail/);
  await page.fill("input[type=search]", "unsupported-version-is-refused");
  // The browser tells of a new address a moment after the page has it.
  await page.waitForURL(/q=unsupported-version/);
  assert.match(await shown(), /^[1-9]\d* of/);
  const again = await open(judged, { hash: new URL(page.url()).hash });
  assert.equal(await again.textContent("#shown"), await shown());
  assert.equal(await again.inputValue("input[type=search]"), "unsupported-version-is-refused");
  await page.click("button[type=reset]");
  await page.waitForFunction((text) => document.getElementById("shown").textContent === text, all);
});

test("a case has an address of its own, which opens it", async () => {
  const page = await open(judged);
  await page.check("#chips input[value=fail]");
  await page.locator(".row").nth(3).click();
  const name = await page.locator(".row code").nth(3).textContent();
  await page.waitForURL(/case=/);
  const again = await open(judged, { hash: new URL(page.url()).hash });
  assert.equal(await again.locator(".row[aria-expanded=true] code").first().textContent(), name);
  // Also a case that the filter in force does not show.
  await page.evaluate(() => { location.hash = document.querySelector("#findings details.group") ? "#verdict=pass" : ""; });
  await page.evaluate((hash) => { location.hash = hash; }, new URL(again.url()).hash.replace(/verdict=[^&]*&/, "verdict=pass&"));
  await page.waitForFunction((text) => document.querySelector(".row[aria-expanded=true] code")?.textContent === text, name);
});

test("a requirement has one, too", async () => {
  const page = await open(judged, { hash: "#finding=M-VER-UNSUPPORTED" });
  assert.ok(await page.locator("details[data-requirement=M-VER-UNSUPPORTED][open]").count() > 0);
});

test("what differs is marked, on both sides", async () => {
  const page = await open(judged, { hash: "#finding=M-VER-UNSUPPORTED" });
  const evidence = page.locator("details[data-requirement=M-VER-UNSUPPORTED] .evidence").first();
  assert.match(await evidence.locator(".panel:nth-child(2) mark").first().textContent(), /-32602/);
  assert.match(await evidence.locator(".panel:nth-child(3) mark").first().textContent(), /-32022/);
});

test("long bodies are folded, and unfold", async () => {
  const page = await open(judged);
  await page.locator("#causes details.group, #findings details.group").evaluateAll((boxes) => boxes.forEach((box) => { box.open = true; }));
  const button = page.locator("button.more[aria-expanded=false]").first();
  await button.waitFor();
  const box = button.locator("xpath=..");
  const folded = (await box.locator("pre").textContent()).length;
  await button.click();
  assert.ok((await box.locator("pre").textContent()).length > folded);
});

test("the command and the case file are copied as they are, and the file is a case that shows the finding", async () => {
  const page = await open(judged, { hash: "#finding=M-VER-UNSUPPORTED", permissions: ["clipboard-read", "clipboard-write"] });
  const box = page.locator("details[data-requirement=M-VER-UNSUPPORTED]").first();
  await box.getByRole("button", { name: "Copy the command" }).click();
  const command = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(command, /^assay run .*--filter/);
  await box.locator("details.lazy > summary").click();
  await box.getByRole("button", { name: "Copy the case file" }).click();
  const file = join(place, "copied.yaml");
  writeFileSync(file, await page.evaluate(() => navigator.clipboard.readText()));
  const found = run("run", "--only-cases", file, "--", server, "--fault", "unsupported-is-invalid-params");
  assert.equal(found.status, 1, found.stdout + found.stderr);
  const clean = run("run", "--only-cases", file, "--", server);
  assert.equal(clean.status, 0, clean.stdout + clean.stderr);
});

test("nothing a server says runs or breaks the page", async () => {
  const file = pageOf("hostile", hostile());
  for (const width of [1280, 390]) {
    const page = await open(file, { viewport: { width, height: 900 } });
    await openEverything(page);
    assert.deepEqual(page.complaints, []);
    assert.equal(await page.evaluate(() => window.broken), undefined);
    assert.equal(await page.locator("body script:not([id])").count(), 1);
    assert.equal(await page.locator("body img, body b > *").count(), 0);
    assert.ok(await overflow(page) <= 0, `${width}: ${await overflow(page)} px too wide`);
    const text = await page.evaluate(() => document.body.innerText);
    assert.doesNotMatch(text, /[\u202a-\u202e\u2066-\u2069\u200b\u0007\u001b]/);
    assert.ok(text.includes("<script>window.broken = true</script>"));
    assert.equal(await page.locator("a[href^='javascript:']").count(), 0);
  }
  assert.ok(hostileTexts.length > 0);
});

for (const colorScheme of ["light", "dark"]) {
  test(`axe finds nothing to complain about, ${colorScheme}`, async () => {
    for (const viewport of [{ width: 1280, height: 900 }, { width: 390, height: 800 }]) {
      const page = await open(judged, { colorScheme, viewport });
      await page.evaluate(axe);
      const judge = async (when) => {
        const { violations } = await page.evaluate(() => axe.run(document, {
          runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] }));
        assert.deepEqual(violations.map((one) => `${when}: ${one.id}: ${one.nodes.slice(0, 3).map((node) => node.html.slice(0, 200))}`), []);
      };
      await judge("closed");
      await page.evaluate(() => document.querySelectorAll("details.group").forEach((box, i) => { if (i < 4) box.open = true; }));
      await page.locator(".row").first().click();
      await page.locator("details.lazy > summary").first().click();
      await judge("open");
      assert.ok(await overflow(page) <= 0);
    }
  });
}

// Time of the page's main thread: other work on the machine is none of ours.
async function threadTime(session) {
  const { metrics } = await session.send("Performance.getMetrics");
  return 1000 * metrics.find((metric) => metric.name === "TaskDuration").value;
}

test("5,000 results are there in under a second and filtered in under 100 ms", async () => {
  const page = await open(pageOf("large", large(5000)));
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  await page.reload();
  const opened = await threadTime(session);
  await page.evaluate(() => {
    const search = document.querySelector("input[type=search]");
    search.value = "case-4321";
    search.dispatchEvent(new Event("input", { bubbles: true }));
    document.getElementById("rows").getBoundingClientRect();
  });
  const filtered = (await threadTime(session)) - opened;
  console.log(`opened in ${Math.round(opened)} ms, filtered in ${filtered.toFixed(1)} ms`);
  assert.match(await page.textContent("#shown"), /^1 of 5,000 cases/);
  assert.deepEqual(page.complaints, []);
  assert.ok(opened > 0 && opened < 1000, `${opened} ms`);
  assert.ok(filtered > 0 && filtered < 100, `${filtered} ms`);
});

test("on paper the findings are open and every case has its line", async () => {
  const page = await open(judged);
  await page.pdf({ path: join(place, "report.pdf") });
  assert.equal(await page.locator("#findings details.group:not([open])").count(), 0);
  assert.equal(await page.locator("#more").isHidden(), true);
});

test("the matrix opens the findings of a cell and leads on into the server's report; a comparison opens", async () => {
  const list = join(place, "servers.yaml");
  writeFileSync(list, JSON.stringify({ servers: [
    { name: "good", command: [server] },
    { name: "faulty", command: [server, "--fault", "retired-not-found-code"] },
    { name: "broken", command: ["/no/such/server"] },
  ] }));
  const status = run("matrix", list, "--report", join(place, "matrix")).status;
  assert.equal(status, 1);
  const page = await open(join(place, "matrix", "matrix.html"));
  assert.match(await page.locator("tr", { hasText: "broken" }).last().textContent(), /could not be tested/);
  await page.locator("tr", { hasText: "faulty" }).locator("a.verdict").first().click();
  const opened = page.locator("section.opened:target");
  assert.ok(await opened.isVisible());
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => axe.run());
  assert.deepEqual(violations.map((one) => `${one.id}: ${one.nodes[0].html}`), []);
  await opened.locator("a[href*='report.html#case=']").first().click();
  await page.locator(".row[aria-expanded=true]").waitFor();
  assert.deepEqual(page.complaints, []);

  const html = join(place, "compare.html");
  writeFileSync(html, run("compare", ...["good", "faulty"].map((name) => join(place, "matrix", name, "report.json")), "--format", "html").stdout);
  const comparison = await open(html);
  assert.match(await comparison.textContent("main"), /Regressions/);
  assert.deepEqual(comparison.complaints, []);
});

test("pictures for the eye", { skip: !process.env.SCREENSHOTS }, async () => {
  mkdirSync(process.env.SCREENSHOTS, { recursive: true });
  for (const [name, settings] of [["light", {}], ["dark", { colorScheme: "dark" }], ["phone", { viewport: { width: 390, height: 900 } }]]) {
    const page = await open(judged, settings);
    await page.evaluate(() => document.querySelectorAll("#causes details.group, #findings details.group").forEach((box, i) => { box.open = i % 3 === 0; }));
    await page.locator(".row").first().click();
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    await page.screenshot({ path: join(process.env.SCREENSHOTS, `${name}.png`), fullPage: true });
  }
});
