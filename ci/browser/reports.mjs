// Reports to make pages of: a server that says hostile things, and very many results.

const link = "https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning";

export const hostileTexts = [
  "<script>window.broken = true</script>",
  "</script><script>window.broken = true</script>",
  "<!--<script>",
  '"><img src=x onerror="window.broken = true">',
  "javascript:window.broken=true",
  "\u202egnirts desrever\u202c \u2066hidden\u2069 \u200b zero width \u0007 bell \u001b[31m red",
  "${alert(1)} {{constructor}} ]]> --> &lt;b&gt;",
];

const report = (target, results) => {
  const counts = { pass: 0, fail: 0, warn: 0, differs: 0, skip: 0, error: 0 };
  for (const result of results) ++counts[result.verdict];
  return {
    schema: 1, tool: { name: "assay", version: "0.0.0" }, seed: 0, started: "2026-01-01T00:00:00Z",
    duration_ms: 1234, partial: false, exit_code: counts.fail > 0 ? 1 : 0, required: ["must"], options: [],
    target: { command: ["server"], transport: "stdio", era_policy: "modern-only", tasks: [], profile: "",
      eras: ["modern"], revisions: ["2026-07-28"], refusals: {}, capabilities: {}, ...target },
    counts, causes: [], stale: [],
    requirements: [
      { id: "M-VER-UNSUPPORTED", level: "must", basis: "keyword", state: "failed", why: "", text: "It is refused.", link, cases: [] },
      { id: "M-TOOLS-LIST-SHAPE", level: "should", basis: "prose", state: "not-judged", why: "no case yet", text: "", link, cases: [] },
    ],
    results,
  };
};

const result = (name, verdict, more = {}) => ({
  case: name, title: `What ${name} shows`, era: "modern", revision: "2026-07-28", transport: "stdio", source: "case",
  place: "cases/x.yaml:3:5", verdict, requires: ["M-VER-UNSUPPORTED"], skip_reason: verdict === "skip" ? "not-declared" : "",
  baseline: "", repeat_differs: false, duration_ms: 1.5, findings: [], transcript: [], ...more });

const finding = (message, received) => ({
  requirement: "M-VER-UNSUPPORTED", level: "must", basis: "keyword", counts_as: "fail", message, step: "steps/0",
  expected: { error: { code: -32022 } }, actual: received, link, text: "It is refused.", baselined: false });

const transcript = (sent, received) => [
  { t_us: 10, conn: "main", dir: "out", step: "steps/0", text: JSON.stringify(sent) },
  { t_us: 90, conn: "main", dir: "in", step: "steps/0", text: JSON.stringify(received) },
  { t_us: 95, conn: "main", dir: "err", text: "a line on stderr\nand another\n" },
];

// One failure for each hostile text, which stands wherever a server has its say; and one of a megabyte.
export function hostile() {
  const megabyte = "<b>".repeat(350_000);
  const results = [...hostileTexts, megabyte].map((text, i) => {
    const received = { jsonrpc: "2.0", id: 1, error: { code: -1, message: text, [text.slice(0, 200)]: text } };
    return result(`hostile/${i}`, "fail", {
      title: text.slice(0, 300),
      findings: [finding(text, received)],
      transcript: [...transcript({ id: 1, method: text }, received), { t_us: 99, conn: "main", dir: "err", text }],
      case_file: `cases:\n  - id: ${i}\n    title: ${JSON.stringify(text.slice(0, 100))}\n`,
    });
  });
  results.push(result("hostile/error", "error", { error: hostileTexts[0] }));
  const [first, second] = hostileTexts;
  return report({
    server: { name: hostileTexts.join(" "), version: second }, command: [first, second], era_policy: first, tasks: [second],
    refusals: { legacy: hostileTexts.join(" ") }, capabilities: { modern: { [first]: { [second]: true } } },
  }, results);
}

// Findings, warnings, skips and passes, `count` in all.
export function large(count) {
  const verdicts = ["fail", "warn", "skip", "pass", "pass"];
  const received = { jsonrpc: "2.0", id: 1, error: { code: -32602, message: "no" } };
  return report({ server: { name: "large", version: "1" } }, Array.from({ length: count }, (_, i) => {
    const verdict = verdicts[i % verdicts.length];
    const broken = verdict === "fail" || verdict === "warn";
    return result(`area-${i % 50}/case-${i}`, verdict, {
      era: i % 2 === 0 ? "modern" : "legacy",
      findings: broken ? [{ ...finding(`The code of answer ${i} is wrong.`, received), counts_as: verdict }] : [],
      transcript: broken ? transcript({ id: 1, method: "tools/list" }, received) : [],
    });
  }));
}
