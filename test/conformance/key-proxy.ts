import { createServer, request as send } from "node:http";
import type { AddressInfo } from "node:net";

/** A proxy that is running. */
export interface KeyProxy {
  /** `http://127.0.0.1:49152` */
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Adds the local key to every request: the conformance suite cannot send an Authorization header. Where a request names
 * the proxy's own address, in Host and Origin, the gateway is reported its own. Everything else goes both ways byte for
 * byte, wrong Hosts and Origins too, and a client that leaves is gone for the gateway as well.
 * @param target of the gateway, as `http://127.0.0.1:6174`.
 */
export async function startKeyProxy(target: string, key: string): Promise<KeyProxy> {
  const { hostname, port, host } = new URL(target);
  let own = "";
  const server = createServer((request, response) => {
    const reports = request.rawHeaders.map((text) =>
      text === own || text === `http://${own}` ? text.replace(own, host) : text,
    );
    const headers = [...reports, "Authorization", `Bearer ${key}`];
    const { method, url: path } = request;
    const onward = send({ hostname, port, method, path, headers, setHost: false }, (body) => {
      response.writeHead(body.statusCode ?? 502, body.rawHeaders);
      response.flushHeaders();
      body.pipe(response);
      body.on("error", () => response.destroy());
    });
    onward.on("error", () => response.destroy());
    response.on("close", () => onward.destroy());
    request.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  own = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `http://${own}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
