import { expect, it } from "vitest";
import { readSetupFile } from "../../../../gateway/services/setup/setup-files.ts";

it("says where the value of each variable and file would go", async () => {
  const text = `
connections:
  - { name: a, provider: openai, keys: ["\${A_KEY}", "\${file:/run/secrets/a}"] }
  - { name: b, provider: openai-compatible, base_url: "https://\${HOST}/v1", keys: ["\${A_KEY}", "$\${none}"] }
keys: [{ name: laptop, secret: "\${LAPTOP}" }]
`;
  const values = { A_KEY: "key-a", "file:/run/secrets/a": "key-b", HOST: "b.example", LAPTOP: "sk-laptop-0001" };
  const { reads } = await readSetupFile({ text, values });
  expect(reads).toEqual([
    { name: "A_KEY", goes_to: "https://api.openai.com/v1" },
    { name: "file:/run/secrets/a", goes_to: "https://api.openai.com/v1" },
    { name: "HOST", goes_to: "https://b.example/v1" },
    { name: "A_KEY", goes_to: "https://b.example/v1" },
    { name: "LAPTOP", goes_to: "keys" },
  ]);
});
