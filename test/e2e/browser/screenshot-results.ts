import type { RunningGateway } from "./gateway.ts";

/** What somebody made in an afternoon, by the sandbox: files that are real, and the tasks of the videos. */
const pictures = [
  "A lighthouse at dusk, gouache, the beam just lit and the sea still bright",
  "Paper cranes over a grey harbour",
  "A narrow street in the rain, neon on wet stone, seen from a low window",
  "Still life with three pears and a blue jug",
  "Isometric cutaway of a watchmaker's bench",
  "A heron over the marsh, woodcut in two colours",
] as const;
const voices = ["Your tea is ready on the terrace.", "Der Zug nach Lindau fährt heute von Gleis vier."] as const;
const films = [
  ["beta-1.0-t2v", 3, "A paper boat drifts down a gutter after the storm, close to the water"],
  ["alpha2.7-t2v", 5, "Two foxes cross a frozen lake at first light"],
  ["alpha2.6-t2v", 5, "Des théiers après la pluie, la brume monte de la vallée"],
  ["alpha2.6-t2v", 5, "A marching band in a library sandbox:fail"],
  ["alpha2.7-t2v", 10, "A potter's hands centre the clay, one long take"],
  ["beta-1.0-t2v", 5, "Fog rolls through the pines until only the crowns are left sandbox:slow=600000"],
] as const;
/** The one that the pictures of single things show. */
export const SHOWN = "Two foxes cross a frozen lake at first light";

async function post(gateway: RunningGateway, path: string, body: unknown): Promise<unknown> {
  const response = await fetch(`${gateway.url}${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${gateway.apiKey}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response.headers.get("content-type")?.includes("json") === true ? response.json() : response.arrayBuffer();
}

/** Makes them, and waits until all but one of the videos are over. */
export async function makeResults(gateway: RunningGateway): Promise<void> {
  for (const prompt of pictures) await post(gateway, "/v1/images/generations", { model: "gpt-image-1", prompt });
  for (const input of voices) await post(gateway, "/v1/audio/speech", { model: "tts-1", input, voice: "alloy" });
  const tasks: string[] = [];
  for (const [model, duration, prompt] of films) {
    const film = { model, duration, resolution: "720p", input: { prompt } };
    const { id } = (await post(gateway, "/v1/videos/generations", film)) as { readonly id: string };
    if (!prompt.includes("slow")) tasks.push(id);
  }
  for (const id of tasks) await over(gateway, id);
}

async function over(gateway: RunningGateway, id: string): Promise<void> {
  const headers = { authorization: `Bearer ${gateway.apiKey}` };
  for (let tries = 0; tries < 240; tries += 1) {
    const response = await fetch(`${gateway.url}/v1/videos/generations/${id}`, { headers });
    const { status } = (await response.json()) as { readonly status: string };
    if (status === "succeeded" || status === "failed") return;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  throw new Error(`${id} is still not over`);
}
