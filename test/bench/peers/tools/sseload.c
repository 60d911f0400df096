// SSE load client: sseload PORT PATH CONC TOTAL NTOK GAPMS [hdrfile] [holdsecs]
// Asks for 24 tokens a chunk, as ssemock.c counts them.
// DIALECT=messages in the environment: asks for Anthropic's Messages instead of a chat completion.
// Opens CONC connections (keep-alive, sequential streams per connection), until TOTAL streams done. Hard 60 s cap.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <errno.h>
#include <time.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <netinet/in.h>
#include <netinet/tcp.h>

typedef struct {
  int fd, st;
  long long t0, tf;
  char b[131072];
  int l;
  int ev;
  int done;
  int bad;
  int hdr;
  // Of the body: whether it comes in chunks of HTTP, which have nothing to do with those of the stream; where we are in
  // one (0 its size, 1 its bytes, 2 the line end after them, 3 trailers); how many bytes it has left; whether all is here.
  int chunked, cst, ended, last;
  long crem;
} C;

static C *c;
static int ep, port, ntok, gap, conc, total, started, finished, bad;
static char req[1 << 20];
static int reql;

static long long now() {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static long long *lat;
static long nlat, caplat;
static long long *ttfb;
static int nt;
static long events, bytes;
static int firsts;

static int cmp(const void *a, const void *b) {
  long long x = *(long long *)a, y = *(long long *)b;
  return x < y ? -1 : x > y;
}

// Takes the body's next bytes: what they carry goes to the end of x->b.
static void take(C *x, const char *s, long n) {
  if (!x->chunked) {
    memcpy(x->b + x->l, s, n);
    x->l += n;
    return;
  }
  for (long i = 0; i < n && !x->ended;) {
    if (x->cst == 1) {
      long k = n - i < x->crem ? n - i : x->crem;
      memcpy(x->b + x->l, s + i, k);
      x->l += k;
      i += k;
      x->crem -= k;
      if (!x->crem)
        x->cst = 2;
      continue;
    }
    char ch = s[i++];
    if (x->cst == 0) {
      if (ch == '\n')
        x->cst = x->crem ? 1 : 3;
      else if (ch != '\r')
        x->crem = x->crem * 16 + (ch <= '9' ? ch - '0' : (ch | 32) - 'a' + 10);
    } else if (x->cst == 2) {
      if (ch == '\n')
        x->cst = 0;
    } else if (ch == '\n')
      x->ended = 1;
  }
}

static void go(int i) {
  C *x = &c[i];
  if (x->fd < 0) {
    int f = socket(AF_INET, SOCK_STREAM, 0), o = 1;
    struct sockaddr_in A = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    if (connect(f, (void *)&A, sizeof A)) {
      perror("connect");
      bad++;
      finished++;
      return;
    }
    setsockopt(f, IPPROTO_TCP, TCP_NODELAY, &o, 4);
    x->fd = f;
    struct epoll_event e = {.events = EPOLLIN, .data.u32 = i};
    epoll_ctl(ep, EPOLL_CTL_ADD, f, &e);
  }
  x->l = 0;
  x->tf = 0;
  x->ev = 0;
  x->done = 0;
  x->hdr = 0;
  x->bad = 0;
  x->chunked = x->cst = x->ended = x->last = 0;
  x->crem = 0;
  x->t0 = now();
  if (send(x->fd, req, reql, MSG_NOSIGNAL) != reql) {
    perror("send");
  }
  started++;
}

int main(int a, char **v) {
  signal(SIGPIPE, SIG_IGN);
  port = atoi(v[1]);
  char *path = v[2];
  conc = atoi(v[3]);
  total = atoi(v[4]);
  ntok = atoi(v[5]);
  gap = atoi(v[6]);
  char hdr[8192] = "";
  if (a > 7 && v[7][0] && strcmp(v[7], "-")) {
    FILE *f = fopen(v[7], "r");
    int n = fread(hdr, 1, 8000, f);
    hdr[n] = 0;
    fclose(f);
  }
  int hold = a > 8 ? atoi(v[8]) : 0;
  char body[8192];
  char pad[1200];
  memset(pad, 'x', 700);
  pad[700] = 0;
  int messages = getenv("DIALECT") && !strcmp(getenv("DIALECT"), "messages");
  char *model = getenv("MODEL") ? getenv("MODEL") : "gpt-4o-mini";
  int bl;
  if (messages)
    bl = sprintf(body,
                 "{\"model\":\"%s\",\"stream\":true,\"max_tokens\":%d,\"system\":\"You are a helpful "
                 "assistant.\",\"messages\":[{\"role\":\"user\",\"content\":\"%s\"}]}",
                 model, ntok * 24, pad);
  else
    bl = sprintf(body,
                 "{\"model\":\"%s\",\"stream\":true,\"stream_options\":{\"include_usage\":true},\"max_tokens\":%d,"
                 "\"seed\":%d,\"messages\":[{\"role\":\"system\",\"content\":\"You are a helpful "
                 "assistant.\"},{\"role\":\"user\",\"content\":\"%s\"}]}",
                 model, ntok * 24, gap, pad);
  reql = sprintf(req,
                 "POST %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Type: application/json\r\nAuthorization: Bearer "
                 "sk-test-of-the-benchmarks\r\n%sContent-Length: %d\r\n\r\n%s",
                 path, port, hdr, bl, body);
  // What a stream's last event has.
  char *last = messages ? "message_stop" : "[DONE]";
  c = calloc(conc, sizeof(C));
  caplat = (long)total * (ntok + 2) + 16;
  lat = malloc(caplat * 8);
  ttfb = malloc((total + conc) * 8);
  ep = epoll_create1(0);
  long long T0 = now(), firstAll = 0;
  int stag = getenv("STAGGER_US") ? atoi(getenv("STAGGER_US")) : 0;
  int nexti = 0;
  for (int i = 0; i < conc; i++)
    c[i].fd = -1;
  struct epoll_event ev[1024];
  long long lastprog = T0;
  while (finished < total) {
    long long t = now();
    if (t - T0 > 60000000000LL) {
      fprintf(stderr, "cap 60s\n");
      break;
    }
    if (hold && t - T0 > hold * 1000000000LL)
      break;
    while (nexti < conc && started < total && now() - T0 >= (long long)nexti * stag * 1000LL)
      go(nexti++);
    int k = epoll_wait(ep, ev, 1024, nexti < conc ? 1 : 200);
    t = now();
    for (int j = 0; j < k; j++) {
      int i = ev[j].data.u32;
      C *x = &c[i];
      static char in[65536];
      int r = recv(x->fd, in, sizeof in, MSG_DONTWAIT);
      if (r < 0 && errno == EAGAIN)
        continue;
      if (r <= 0) {
        close(x->fd);
        x->fd = -1;
        if (!x->done) {
          bad++;
          finished++;
          if (started < total)
            go(i);
        }
        continue;
      }
      bytes += r;
      if (x->hdr)
        take(x, in, r);
      else {
        memcpy(x->b + x->l, in, r);
        x->l += r;
        x->b[x->l] = 0;
        char *h = strstr(x->b, "\r\n\r\n");
        if (!h)
          continue;
        x->hdr = 1;
        if (strncmp(x->b + 9, "200", 3)) {
          if (bad < 2)
            fprintf(stderr, "bad: %.400s\n", x->b);
          x->bad = 1;
        }
        *h = 0;
        x->chunked = strcasestr(x->b, "transfer-encoding: chunked") != 0;
        int rest = x->l - (h + 4 - x->b);
        memcpy(in, h + 4, rest);
        x->l = 0;
        take(x, in, rest);
      }
      x->b[x->l] = 0;
      char *p = x->b;
      char *end = x->b + x->l;
      char *keep = p;
      for (;;) {
        // In whatever field, with whatever blanks before it.
        char *q = memmem(p, end - p, "\"T00", 4);
        if (!q || end - q < 22) {
          if (q)
            keep = q;
          else
            keep = end - 15 > p ? end - 15 : p;
          break;
        }
        long long s = strtoll(q + 2, 0, 10);
        events++;
        x->ev++;
        if (nlat < caplat)
          lat[nlat++] = t - s;
        if (!x->tf) {
          x->tf = t;
          ttfb[nt++] = t - x->t0;
          firsts++;
          if (firsts == conc)
            firstAll = t;
        }
        p = q + 21;
        keep = p;
      }
      if (memmem(p, end - p, last, strlen(last)))
        x->last = 1;
      if (x->bad || (x->chunked ? x->ended : x->last)) {
        x->done = 1;
        if (x->bad || !x->last || x->ev != ntok)
          bad++;
        finished++;
        if (x->bad) {
          close(x->fd);
          x->fd = -1;
        }
        if (started < total)
          go(i);
        else
          x->l = 0;
        continue;
      }
      if (keep > x->b) {
        memmove(x->b, keep, end - keep);
        x->l = end - keep;
      }
      if (x->l > 120000) {
        bad++;
        x->l = 0;
      }
    }
  }
  double el = (now() - T0) / 1e9;
  qsort(lat, nlat, 8, cmp);
  qsort(ttfb, nt, 8, cmp);
#define P(A, N, q) ((N) ? (A)[(long)((N - 1) * (q))] / 1e3 : 0.0)
  printf("{\"streams\":%d,\"bad\":%d,\"events\":%ld,\"sec\":%.3f,\"events_s\":%.0f,\"ttft_p50_us\":%.0f,\"ttft_p99_"
         "us\":%.0f,\"chunk_p50_us\":%.0f,\"chunk_p99_us\":%.0f,\"MBs\":%.1f}\n",
         finished, bad, events, el, events / el, P(ttfb, nt, .5), P(ttfb, nt, .99), P(lat, nlat, .5), P(lat, nlat, .99),
         bytes / el / 1e6);
  return 0;
}
