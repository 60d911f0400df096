import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { maskJson } from "../../../gateway/lib/mask-json.ts";
import { Masks } from "../../../gateway/lib/masks.ts";
import { BoundedMap } from "../../../gateway/lib/bounded-map.ts";

const MASK = /^MASKED_[0-9A-HJKMNP-TV-Z]{12}$/;
const known = new BoundedMap<string, string>(1_000);
const openMasks = (words: readonly string[] = [], secret = "key"): Masks => new Masks({ secret, words, known });
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

  it("of a private key with escaped line breaks is that of the key", () => {
    const masks = openMasks();
    expect(masks.mask(PEM.replaceAll("\n", "\\n"))).toBe(masks.mask(PEM));
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
    ["a signature", `{"signature":"Acme ${secret}"}`],
  ])("keeps own words in %s", async (_name, body) => {
    expect(await maskJson(body, openMasks(["Acme"]))).toBe(body);
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
