import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { Markdown } from "../../../../renderer/features/playground/chat/markdown.tsx";

const drawn = (text: string): string =>
  renderToStaticMarkup(createElement(Markdown, { text })).replaceAll(/ class="[^"]*"/g, "");

it("draws headings, emphasis, lists and code in a line", () => {
  expect(drawn("#### Plan\n\n**Bold** and `a < b`")).toBe(
    "<div><h3>Plan</h3><p><strong>Bold</strong> and <code>a &lt; b</code></p></div>",
  );
  expect(drawn("3. one\n4. two")).toContain('<ol start="3"><li><span>one</span></li><li><span>two</span></li></ol>');
  expect(drawn("- [x] done\n- [ ] open")).toMatch(/☑ .*done.*☐ .*open/);
});

it("leaves markup as text", () => {
  for (const text of ["<script>alert(1)</script>", "a <img src=x onerror=alert(1)> b", "<b>bold</b>"]) {
    expect(drawn(text)).not.toMatch(/<(?:script|img|b)[ >]/);
    expect(drawn(text)).toContain("&lt;");
  }
});

it("makes links of web pages and mail alone, and loads no picture", () => {
  expect(drawn("[a](https://example.com/x)")).toContain('<a href="https://example.com/x"');
  expect(drawn("[a](https://example.com/x)")).toContain('rel="noreferrer noopener"');
  for (const href of [
    "javascript:alert(1)",
    "data:text/html,x",
    "file:///etc/passwd",
    "#/settings",
    "//evil.example",
  ]) {
    expect(drawn(`[words](${href})`)).toBe("<div><p>words</p></div>");
  }
  expect(drawn("![alt](https://example.com/x.png)")).not.toContain("<img");
});

it("draws what has come so far, wherever it breaks off", () => {
  expect(drawn("")).toBe("<div></div>");
  expect(drawn("Some **bold")).toBe("<div><p>Some **bold</p></div>");
});
