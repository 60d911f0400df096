import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { maskJson } from "../../../gateway/lib/mask-json.ts";
import { Masks, compileWords } from "../../../gateway/lib/masks.ts";
import { BoundedMap } from "../../../gateway/lib/bounded-map.ts";

const MASK = /^MASKED_[0-9A-HJKMNP-TV-Z]{12}$/;
const known = new BoundedMap<string, string>(1_000);
const openMasks = (words: readonly string[] = [], secret = "key"): Masks =>
  new Masks({ secret, words: compileWords(words), known });
const PEM = `-----BEGIN RSA PRIVATE KEY-----\n${"MIIEpAIBAAKCAQEA7v\n".repeat(12)}-----END RSA PRIVATE KEY-----`;

describe("a secret of a known form", () => {
  it.each([
    ["OpenAI", "sk-proj-Ab12Cd34Ef56Gh78Ij90"],
    ["Anthropic", "sk-ant-api03-Ab12Cd34Ef56Gh78Ij90-xyz"],
    ["GitHub", "ghp_16C7e42F292c6912E7710c838347Ae178B4a"],
    ["AWS", "AKIAIOSFODNN7EXAMPLE"],
    ["Google", "AIzaSyA1234567890abcdefghijklmnopqrstuvw"],
    ["Slack", "xoxb-2345678901-abcdefghijkl"],
    ["a JSON Web Token", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U"],
    ["a private key", PEM],
    ["the first lines of a private key", PEM.split("\n").slice(0, 4).join("\n")],
  ])("of %s becomes a mask, and the mask becomes it again", (_name, secret) => {
    const masks = openMasks();
    const masked = masks.mask(`before ${secret} after`);
    expect(masked).toMatch(/^before MASKED_\w{12} after$/);
    expect(masks.restore(masked)).toBe(`before ${secret} after`);
    expect(masks.count).toBe(1);
  });

  it.each([
    ["postgres://app:hunter2x@db.internal/main", "hunter2x"],
    ["https://api.example/v1?key=Ab12Cd34", "Ab12Cd34"],
    ["Authorization: Bearer Ab12.Cd34-Ef56", "Ab12.Cd34-Ef56"],
  ])("in %s is masked without what is around it", (text, secret) => {
    const masks = openMasks();
    const masked = masks.mask(text);
    expect(masked).not.toContain(secret);
    expect(masked.replace(/MASKED_\w{12}/, secret)).toBe(text);
  });

  it.each(["basic instructions", "a task-list of sk-learn", "http://127.0.0.1:6174/v1", "const key = value;"])(
    "is not seen in %s",
    (text) => {
      expect(openMasks().mask(text)).toBe(text);
    },
  );
});

describe("a mask", () => {
  it("is the same for the same secret in another request, and differs between keys", () => {
    const [first, again, other] = [openMasks(), openMasks(), openMasks([], "another")];
    const text = "sk-proj-Ab12Cd34Ef56Gh78Ij90";
    expect(first.mask(text)).toMatch(MASK);
    expect(again.mask(text)).toBe(first.mask(text));
    expect(other.mask(text)).not.toBe(first.mask(text));
  });

  it("that is not known stays", () => {
    expect(openMasks().restore("MASKED_000000000000 MASKED_x")).toBe("MASKED_000000000000 MASKED_x");
  });

  it("is escaped where the text is JSON", () => {
    const masks = openMasks(['pass"word\\']);
    const masked = masks.mask('{"a":"pass\\"word\\\\"}');
    expect(masked).toMatch(/^\{"a":"MASKED_\w{12}"\}$/);
    expect(JSON.parse(masks.restore(masked, true))).toEqual({ a: 'pass"word\\' });
  });

  it("of a private key in JSON is that of the key; one with escaped line breaks comes back with them", () => {
    const masks = openMasks();
    const escaped = PEM.replaceAll("\n", "\\n");
    expect(masks.mask(escaped, { inJson: true })).toBe(masks.mask(PEM));
    expect(masks.restore(masks.mask(escaped))).toBe(escaped);
  });

  it.each([
    "Authorization: Bearer sk-proj-Ab12Cd34Ef56Gh78Ij90",
    "https://api.example/v1?key=AIzaSyA1234567890abcdefghijklmnopqrstuvw",
    "postgres://app:ghp_16C7e42F292c6912E7710c838347Ae178B4a@db/main",
    "sk-Acme-Ab12Cd34Ef56Gh78Ij90",
  ])("in a mask comes back: %s", (text) => {
    const masks = openMasks(["Acme"]);
    const masked = masks.mask(text);
    expect(masked.match(/MASKED_/g)).toHaveLength(1);
    expect(masks.restore(masked)).toBe(text);
  });

  it("comes back in the response to a request with more secrets than are kept", () => {
    const masks = openMasks();
    const text = Array.from({ length: 1_500 }, (_, index) => `sk-proj-Ab12Cd34Ef56Gh${index}`).join("\n");
    expect(masks.restore(masks.mask(text))).toBe(text);
  });

  it.each([
    ["", 0],
    ["word", 0],
    ["M", 1],
    ["the MAS", 3],
    ["MMASKED_7K", 9],
    ["MASKED_7KQ2M9X4T1B", 18],
    ["MASKED_7KQ2M9X4T1BD", 0],
    ["a MASKED_1AVM", 11],
    ["MASKED_1AVMHRZNXVBG", 0],
    ["MASKED_7MASKEDM", 15],
    ["MASKED_7KQ2M9X4T1BM", 0],
    ["MASKED_7k", 0],
    ["MASK it", 0],
  ])("may begin at the end of %j with %i characters", (text, length) => {
    expect(Masks.measureStart(text)).toBe(length);
  });
});

describe("own words", () => {
  it("are masked, the longest first", () => {
    const masks = openMasks(["Acme", "Acme Corp"]);
    const masked = masks.mask("Acme Corp and Acme");
    expect(masked).toMatch(/^MASKED_\w{12} and MASKED_\w{12}$/);
    expect(masks.restore(masked)).toBe("Acme Corp and Acme");
    expect(masks.count).toBe(2);
  });

  it("come back whatever they and their surroundings are", () => {
    const word = fc
      .string({ minLength: 4, maxLength: 30, unit: "grapheme" })
      .filter((text) => !text.includes("MASKED"));
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 5 }), fc.array(fc.string()), (words, texts) => {
        const masks = openMasks(words);
        const text = [...words, ...texts, ...words].join(" ");
        const masked = masks.mask(text);
        for (const each of words) if (!"MASKED_".includes(each)) expect(masked).not.toContain(each);
        expect(masks.restore(masked)).toBe(text);
      }),
    );
  });
});

describe("a JSON body", () => {
  const secret = "sk-proj-Ab12Cd34Ef56Gh78Ij90";

  it("keeps every byte but the secrets", async () => {
    const body = `{ "model":"sk-proj-x",  "n": 1.00, "messages":[{"content":"a \\u0041 ${secret}"} ] }`;
    const masked = await maskJson(body, openMasks());
    expect(masked.replace(/MASKED_\w{12}/, secret)).toBe(body.replace("\\u0041", "A"));
  });

  it("without secrets is the same text", async () => {
    const body = JSON.stringify({ content: "basic words, a key=1 and http://host:1/", token: "x" });
    expect(await maskJson(body, openMasks(["Acme"]))).toBe(body);
  });

  it.each([
    ["a name of a field", '{"Acme":1}'],
    ["a field of the protocol", '{"model":"Acme","role":"Acme","required":["Acme"]}'],
    ["a signature", `{"signature":"Acme${"QUJD".repeat(20)}"}`],
  ])("keeps own words in %s", async (_name, body) => {
    expect(await maskJson(body, openMasks(["Acme"]))).toBe(body);
  });

  it.each([
    ["PHP", String.raw`{"text":"postgres:\/\/app:hunter2x@db.internal\/main A\/B-Team"}`, "hunter2x"],
    ["a text of PHP's JSON", String.raw`{"text":"{\"url\":\"postgres:\\/\\/app:hunter2x@db\"}"}`, "hunter2x"],
    ["a text of Go's JSON", String.raw`{"text":"{\"url\":\"https://x/?a=1\\u0026token=hunter2x\"}"}`, "hunter2x"],
    ["a text of Python's JSON", String.raw`{"text":"{\"name\":\"M\\u00FCller\"}"}`, "ller"],
    ["a text in a text", String.raw`{"text":"{\"a\":\"{\\\"b\\\":\\\"Say \\\\\\\"hi\\\\\\\"!\\\"}\"}"}`, "Say"],
    ["any letter", String.raw`{"text":"\u0073k-proj-Ab12Cd34Ef56Gh78Ij90"}`, "k-proj"],
    ["Go's signs of HTML", String.raw`{"text":"R\u0026D-Lab"}`, "D-Lab"],
  ])("is read with the escapes of %s", async (_name, body, part) => {
    const masked = await maskJson(body, openMasks(["Müller", 'Say "hi"!', "R&D-Lab", "A/B-Team"]));
    expect(masked).toContain("MASKED_");
    expect(masked).not.toContain(part);
    expect(() => JSON.parse(masked) as unknown).not.toThrow();
  });

  it("is masked in arguments of tools whose names are those of the protocol", async () => {
    const input = { data: `key: ${secret}`, signature: `f("${secret}")`, status: "for Acme Corp", b64_json: secret };
    const masked = await maskJson(JSON.stringify({ input }), openMasks(["Acme"]));
    expect(masked).not.toMatch(/Ab12|Acme/);
  });

  it("keeps media and signatures, and masks a text that begins like media", async () => {
    const media = {
      data: "QUJD".repeat(20),
      signature: "EqQBCkgI".repeat(30),
      url: `data:a/b;base64,${"sk-A".repeat(9_000)}`,
    };
    expect(await maskJson(JSON.stringify(media), openMasks(["EqQB", "QUJD"]))).toBe(JSON.stringify(media));
    const body = JSON.stringify({ text: `${"=".repeat(20_000)}\n${secret}` });
    expect(await maskJson(body, openMasks())).not.toContain(secret);
  });

  it("keeps the reasoning that a provider signed, but for secrets of the request", async () => {
    const made = "sk-example-0123456789";
    const block = { type: "thinking", thinking: `${secret} is no ${made}`, signature: "x" };
    const masked = await maskJson(JSON.stringify({ messages: [{ content: [block] }], system: secret }), openMasks());
    expect(masked).not.toContain(secret);
    expect(masked).toContain(`is no ${made}"`);
  });

  it.each([
    ["a private key", PEM, "\n"],
    ["words with spaces", "Acme Corp", " "],
    ["a credential", "Bearer Ab12.Cd34-Ef56", " "],
    ["a key without spaces around it", secret, "."],
  ])("of several slices has %s masked wherever it lies", async (_name, found, space) => {
    const filler = `.${space}`.repeat(50_000);
    for (let lead = 0; lead < found.length + 3; lead += 7) {
      const text = `${filler.slice(0, 32_768 - lead)}${space}${found}${space}${filler}`;
      const masked = await maskJson(JSON.stringify({ text }), openMasks(["Acme Corp"]));
      expect(masked.match(/MASKED_/g)).toHaveLength(1);
      expect(masked).not.toMatch(/MIIE|Acme|Corp|Ab12/);
    }
  });

  it("is read with escapes of every letter", async () => {
    const masks = openMasks(["Müller"]);
    const masked = await maskJson(String.raw`{"text":"Herr M\u00fcller"}`, masks);
    expect(masks.restore(masked)).toBe('{"text":"Herr Müller"}');
    expect(masked).not.toContain("ller");
  });

  it("is masked as its values are", async () => {
    const words = ["Acme", 'a"b\\c', "Zürich"];
    const text = fc
      .array(fc.oneof(fc.string({ unit: "grapheme" }), fc.constantFrom(...words, secret)))
      .map((all) => all.join(" "));
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(fc.constantFrom("content", "text", "input"), text),
        fc.boolean(),
        async (value, isSpaced) => {
          const masks = openMasks(words);
          const body = JSON.stringify(value, null, isSpaced ? 2 : 0);
          const masked = JSON.parse(await maskJson(body, masks)) as Record<string, string>;
          expect(masked).toEqual(
            Object.fromEntries(Object.entries(value).map(([name, one]) => [name, masks.mask(one)])),
          );
        },
      ),
    );
  });

  it("of many megabytes is masked in several turns, with all of its secrets", async () => {
    const text = `word ${secret}\n`.repeat(40_000);
    const body = JSON.stringify({ content: text, image: "A".repeat(2_000_000) });
    let turns = 0;
    let isDone = false;
    const count = (): void => void (isDone || (turns++, setImmediate(count)));
    count();
    const masked = await maskJson(body, openMasks());
    isDone = true;
    expect(masked).not.toContain(secret);
    expect(masked.match(/MASKED_/g)).toHaveLength(40_000);
    expect(turns).toBeGreaterThan(3);
  });
});
