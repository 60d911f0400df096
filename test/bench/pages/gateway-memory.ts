import type { Readable } from "node:stream";

/** What a running gateway keeps, asked through its inspector. */
export interface GatewayMemory {
  /** After garbage was collected. */
  readonly heapMb: number;
  /** Bytes of buffers outside the heap. */
  readonly externalMb: number;
}

/** The address that a process started with `--inspect=127.0.0.1:0` tells on its standard error. */
export function inspectorOf(stderr: Readable): Promise<string> {
  let text = "";
  return new Promise((resolve, reject) => {
    // It is read to its end: a process whose output no one takes stands still.
    stderr.on("data", (chunk: Buffer) => {
      if (text.length > 10_000) return;
      text += chunk.toString();
      const address = /ws:\S+/.exec(text)?.[0];
      if (address !== undefined) resolve(address);
    });
    stderr.on("end", () => reject(new Error("the gateway opened no inspector")));
  });
}

export async function gatewayMemory(address: string): Promise<GatewayMemory> {
  const socket = new WebSocket(address);
  await new Promise((resolve, reject) => {
    socket.addEventListener("open", resolve);
    socket.addEventListener("error", reject);
  });
  try {
    await ask(socket, 1, "HeapProfiler.collectGarbage");
    await ask(socket, 2, "HeapProfiler.collectGarbage");
    const { usedSize, backingStorageSize } = await ask(socket, 3, "Runtime.getHeapUsage");
    return { heapMb: Number(usedSize) / 1e6, externalMb: Number(backingStorageSize) / 1e6 };
  } finally {
    socket.close();
  }
}

function ask(socket: WebSocket, id: number, method: string): Promise<Record<string, unknown>> {
  const response = new Promise<Record<string, unknown>>((resolve) => {
    socket.addEventListener("message", ({ data }) => {
      const message = JSON.parse(String(data)) as { id?: number; result?: Record<string, unknown> };
      if (message.id === id) resolve(message.result ?? {});
    });
  });
  socket.send(JSON.stringify({ id, method }));
  return response;
}
