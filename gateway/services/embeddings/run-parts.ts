import { ClientCancelled } from "../calls/attempts.ts";
import type { Client } from "../calls/client.ts";
import { PartClients } from "../calls/part-clients.ts";

/**
 * Runs the parts in order, at most `atOnce` at a time. Once one has failed, or the client has left, no other begins and
 * those under way are ended.
 * @param run rejects when its client leaves; may reject at any time.
 * @throws what the first part that failed threw, after all have ended.
 */
export async function runParts<P>(
  parts: readonly P[],
  atOnce: number,
  client: Client,
  run: (part: P, client: Client) => Promise<void>,
): Promise<void> {
  const clients = new PartClients(client);
  const waiting = parts.values();
  const errors: unknown[] = [];
  const worker = async (): Promise<void> => {
    for (const part of waiting) {
      if (clients.over) return;
      try {
        await run(part, clients.add());
      } catch (error) {
        errors.push(error);
        clients.end();
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, parts.length) }, worker));
  clients.close();
  if (errors.length > 0) throw errors[0];
  // It left between two parts, while none was under way that could have told.
  if (clients.over) throw new ClientCancelled();
}
