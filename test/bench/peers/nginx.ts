/**
 * Configuration of an nginx with one worker that listens on `port` and does one thing. The request's body is kept in
 * memory, as the Node servers do.
 * @param location what `location /` holds. @param outside lines next to the server, such as an upstream.
 */
export function nginxConfig(folder: string, name: string, port: number, location: string, outside = ""): string {
  return `
daemon off;
worker_processes 1;
pid ${folder}/${name}.pid;
error_log ${folder}/${name}.err;
events { worker_connections 4096; }
http {
  access_log off;
  keepalive_requests 100000000;
  keepalive_timeout 600;
  client_max_body_size 64m;
  client_body_buffer_size 256k;
  client_body_temp_path ${folder}/${name}-body;
  proxy_temp_path ${folder}/${name}-proxy;
  fastcgi_temp_path ${folder}/${name}-fastcgi;
  uwsgi_temp_path ${folder}/${name}-uwsgi;
  scgi_temp_path ${folder}/${name}-scgi;
  ${outside}
  server {
    listen 127.0.0.1:${port} backlog=4096;
    location / { ${location} }
  }
}
`;
}

/** nginx as a reverse proxy with connections kept open to its upstream. `streamed`: pass bytes on as they come. */
export function nginxProxyConfig(folder: string, port: number, upstreamPort: number, streamed: boolean): string {
  return nginxConfig(
    folder,
    "proxy",
    port,
    `proxy_pass http://provider; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_buffering ${streamed ? "off" : "on"};`,
    `upstream provider { server 127.0.0.1:${upstreamPort}; keepalive 1024; keepalive_requests 100000000; }`,
  );
}
