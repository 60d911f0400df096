// SSE mock upstream: single-threaded epoll. Usage: ssemock PORT GAP
// Body fields read: "max_tokens":N or "max_completion_tokens":N (a chunk for each 24 of them, which is more than its
// characters can be: who ends a response that passes its bound has no cause to), "seed":G (gap in ms, 0 = back to back,
// one send() per chunk; GAP without it). Each chunk carries "T<19-digit CLOCK_MONOTONIC ns>" as its content.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <errno.h>
#include <fcntl.h>
#include <time.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#define MAXFD 8192

typedef struct {
  int state; /*0 none 1 reading 2 streaming*/
  char *in;
  int inl, incap;
  int n, i, gap;
  long long due;
  char out[1024];
  int outl, outo;
  int want;
  int aidx;
} C;

static C *cs;
static int act[MAXFD], nact;
static int ep, defgap;

static long long now() {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static void act_add(int fd) {
  cs[fd].aidx = nact;
  act[nact++] = fd;
}

static void act_del(int fd) {
  int x = cs[fd].aidx;
  if (x < 0)
    return;
  int l = act[--nact];
  act[x] = l;
  cs[l].aidx = x;
  cs[fd].aidx = -1;
}

static void cl(int fd) {
  if (cs[fd].state == 2)
    act_del(fd);
  cs[fd].state = 0;
  free(cs[fd].in);
  cs[fd].in = 0;
  close(fd);
}

static void want(int fd, int w) {
  if (cs[fd].want == w)
    return;
  cs[fd].want = w;
  struct epoll_event e = {.events = EPOLLIN | (w ? EPOLLOUT : 0), .data.fd = fd};
  epoll_ctl(ep, EPOLL_CTL_MOD, fd, &e);
}

// returns 1 ok flushed, 0 blocked, -1 closed
static int flush(int fd) {
  C *c = &cs[fd];
  while (c->outo < c->outl) {
    int r = send(fd, c->out + c->outo, c->outl - c->outo, MSG_NOSIGNAL);
    if (r < 0) {
      if (errno == EAGAIN) {
        want(fd, 1);
        return 0;
      }
      cl(fd);
      return -1;
    }
    c->outo += r;
  }
  c->outo = c->outl = 0;
  want(fd, 0);
  return 1;
}

static int chunkhdr(char *o, const char *b, int l) {
  int k = sprintf(o, "%x\r\n", l);
  memcpy(o + k, b, l);
  k += l;
  o[k++] = '\r';
  o[k++] = '\n';
  return k;
}

static void step(int fd, long long t) {
  C *c = &cs[fd];
  char b[800];
  int l;
  if (c->outl && flush(fd) != 1)
    return;
  if (c->i < c->n) {
    l = sprintf(b,
                "data: "
                "{\"id\":\"chatcmpl-mock-0001\",\"object\":\"chat.completion.chunk\",\"created\":1700000000,\"model\":"
                "\"gpt-4o-mini\",\"system_fingerprint\":\"fp_mock\",\"choices\":[{\"index\":0,\"delta\":{\"content\":"
                "\"T%019lld\"},\"logprobs\":null,\"finish_reason\":null}]}\n\n",
                now());
    c->outl = chunkhdr(c->out, b, l);
    c->i++;
    c->due = t + c->gap * 1000000LL;
  } else if (c->i == c->n) {
    l = sprintf(
        b,
        "data: "
        "{\"id\":\"chatcmpl-mock-0001\",\"object\":\"chat.completion.chunk\",\"created\":1700000000,\"model\":\"gpt-4o-"
        "mini\",\"system_fingerprint\":\"fp_mock\",\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}],"
        "\"usage\":{\"prompt_tokens\":100,\"completion_tokens\":%d,\"total_tokens\":%d}}\n\ndata: [DONE]\n\n",
        c->n, c->n + 100);
    c->outl = chunkhdr(c->out, b, l);
    memcpy(c->out + c->outl, "0\r\n\r\n", 5);
    c->outl += 5;
    c->i++;
    c->state = 1;
    act_del(fd);
    flush(fd);
    return;
  }
  flush(fd);
}

static int geti(const char *b, const char *k, int d) {
  char *p = strstr(b, k);
  if (!p)
    return d;
  p += strlen(k);
  while (*p == ' ' || *p == ':' || *p == '"')
    p++;
  return atoi(p);
}

static void startstream(int fd, const char *body) {
  C *c = &cs[fd];
  c->n = geti(body, "max_tokens\"", geti(body, "max_completion_tokens\"", 200 * 24)) / 24;
  c->gap = geti(body, "seed\"", defgap);
  c->i = 0;
  c->due = now();
  c->state = 2;
  act_add(fd);
  c->outl = sprintf(c->out, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\nCache-Control: "
                            "no-cache\r\nTransfer-Encoding: chunked\r\nConnection: keep-alive\r\n\r\n");
  c->outo = 0;
}

static void onread(int fd) {
  C *c = &cs[fd];
  for (;;) {
    if (c->incap - c->inl < 65536) {
      c->incap = c->incap * 2 + 131072;
      c->in = realloc(c->in, c->incap);
    }
    int r = recv(fd, c->in + c->inl, c->incap - c->inl - 1, 0);
    if (r == 0) {
      cl(fd);
      return;
    }
    if (r < 0) {
      if (errno == EAGAIN)
        break;
      cl(fd);
      return;
    }
    c->inl += r;
    c->in[c->inl] = 0;
  }
  if (c->state != 1 || !c->inl)
    return;
  c->in[c->inl] = 0;
  char *h = strstr(c->in, "\r\n\r\n");
  if (!h)
    return;
  int hl = h + 4 - c->in;
  char *p = strcasestr(c->in, "content-length:");
  int need = 0;
  if (p && p < h)
    need = atoi(p + 15);
  else {
    p = strcasestr(c->in, "transfer-encoding: chunked");
    if (p && p < h) {
      if (!strstr(h + 4, "0\r\n\r\n"))
        return;
      need = c->inl - hl;
    }
  }
  if (c->inl - hl < need)
    return;
  startstream(fd, h + 4);
  c->inl = 0;
}

int main(int a, char **v) {
  signal(SIGPIPE, SIG_IGN);
  int port = atoi(v[1]);
  defgap = atoi(v[2]);
  cs = calloc(MAXFD, sizeof(C));
  int s = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0), o = 1;
  setsockopt(s, SOL_SOCKET, SO_REUSEADDR, &o, 4);
  struct sockaddr_in A = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  if (bind(s, (void *)&A, sizeof A)) {
    perror("bind");
    return 1;
  }
  listen(s, 4096);
  ep = epoll_create1(0);
  struct epoll_event e = {.events = EPOLLIN, .data.fd = s}, ev[512];
  epoll_ctl(ep, EPOLL_CTL_ADD, s, &e);
  for (;;) {
    long long t = now(), nx = -1;
    for (int i = 0; i < nact; i++) {
      C *c = &cs[act[i]];
      if (c->want)
        continue;
      if (nx < 0 || c->due < nx)
        nx = c->due;
    }
    int to = -1;
    if (nx >= 0) {
      to = (nx - t) / 1000000;
      if (to < 0)
        to = 0;
      else if (nx > t && to == 0)
        to = 1;
    }
    int k = epoll_wait(ep, ev, 512, to);
    for (int i = 0; i < k; i++) {
      int fd = ev[i].data.fd;
      if (fd == s) {
        int f;
        while ((f = accept4(s, 0, 0, SOCK_NONBLOCK)) >= 0) {
          if (f >= MAXFD) {
            close(f);
            continue;
          }
          setsockopt(f, IPPROTO_TCP, TCP_NODELAY, &o, 4);
          memset(&cs[f], 0, sizeof(C));
          cs[f].state = 1;
          cs[f].aidx = -1;
          struct epoll_event q = {.events = EPOLLIN, .data.fd = f};
          epoll_ctl(ep, EPOLL_CTL_ADD, f, &q);
        }
        continue;
      }
      if (ev[i].events & EPOLLOUT) {
        if (cs[fd].state && flush(fd) < 0)
          continue;
      }
      if (ev[i].events & (EPOLLIN | EPOLLHUP | EPOLLERR))
        if (cs[fd].state)
          onread(fd);
    }
    t = now();
    for (int i = nact - 1; i >= 0; i--) {
      if (i >= nact)
        continue;
      int fd = act[i];
      C *c = &cs[fd];
      if (!c->want && c->due <= t)
        step(fd, t);
    }
  }
}
