import { readFile } from "node:fs/promises";
import { join } from "node:path";

/**
 * Evaluates an expression in the page of a window by Chromium's own protocol: for an app that the test's driver has not
 * started, and cannot follow when it starts again. The app needs `--remote-debugging-port=0`.
 * @param dataDir of the app
 * @throws Error where there is no page
 */
export async function evaluateInPage(dataDir: string, expression: string): Promise<unknown> {
  const [port] = (await readFile(join(dataDir, "desktop/DevToolsActivePort"), "utf8")).split("\n");
  const listed = await fetch(`http://127.0.0.1:${port}/json/list`);
  const targets = (await listed.json()) as { type: string; webSocketDebuggerUrl: string }[];
  const page = targets.find(({ type }) => type === "page");
  if (page === undefined) throw new Error("There is no page.");
  const socket = new WebSocket(page.webSocketDebuggerUrl);
  try {
    return await new Promise((resolve, reject) => {
      socket.addEventListener("error", () => reject(new Error("The page does not respond.")));
      socket.addEventListener("close", () => reject(new Error("The page has gone.")));
      socket.addEventListener("open", () => {
        const params = { expression, awaitPromise: true, returnByValue: true };
        socket.send(JSON.stringify({ id: 1, method: "Runtime.evaluate", params }));
      });
      socket.addEventListener("message", ({ data }) => {
        const { result } = JSON.parse(String(data)) as { result?: { result?: { value?: unknown } } };
        resolve(result?.result?.value);
      });
    });
  } finally {
    socket.close();
  }
}
