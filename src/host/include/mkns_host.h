/* Packets of a host in an MKNS network: open a port, send, receive.
 *
 * Link with -lmkns_host. A port is named by a URL: "live:/run/net/host_3" is a host of a network that `mkns live` runs,
 * "xdma:/dev/xdma0?channel=0" is a card with XDMA, "litepcie:/dev/litepcie0" a channel of one with LitePCIe. One thread may
 * send while another receives.
 */
#ifndef MKNS_HOST_H
#define MKNS_HOST_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The longest payload of any network, bytes. */
#define MKNS_MOST_PAYLOAD 8191

/* What calls return. */
#define MKNS_DONE 0
#define MKNS_NOTHING 1 /* nothing came in time; or a card, which says nothing of itself */
#define MKNS_FAILED (-1) /* mkns_error() says why */

typedef struct mkns_port mkns_port;

/* A packet that arrived. Addresses have 20 bits. */
typedef struct {
    uint32_t source;      /* address of its sender */
    uint32_t destination; /* address that it was sent to */
    uint32_t layer;
    uint32_t length; /* of the payload, bytes */
} mkns_packet;

/* What a running network says of itself. */
typedef struct {
    uint32_t host;    /* number of this host */
    uint32_t address; /* what others write to reach it */
    uint32_t hosts;
    uint32_t longest_payload; /* bytes */
    uint32_t layers;
} mkns_network;

/* Why the last call of this thread failed; valid until the next one fails. */
const char *mkns_error(void);

/* Opens a port; NULL when it fails. */
mkns_port *mkns_open(const char *url);
void mkns_close(mkns_port *port);

/* Sends a packet; waits while the port is busy. `layer` is 0 unless the network has several. */
int mkns_send(const mkns_port *port, uint32_t destination, uint32_t layer, const void *payload, size_t length);

/* Receives a packet within this many milliseconds; without a limit when that is negative. A packet that is longer than
 * `size` is lost, and the call fails: 8191 bytes are always enough. */
int mkns_receive(const mkns_port *port, int milliseconds, mkns_packet *packet, void *buffer, size_t size);

int mkns_information(const mkns_port *port, mkns_network *network);

/* Packets of a port since the card's last reset, or since the network runs; counts wrap. */
typedef struct {
    uint32_t sent;     /* taken from the host */
    uint32_t refused;  /* not taken: too long, no such destination, ... */
    uint32_t received; /* arrived for the host */
    uint32_t damaged;  /* of these, dropped: damaged on their way */
    uint32_t dropped;  /* of these, dropped: the host was too late */
    uint32_t waiting;  /* 1 while a packet waits to be read */
} mkns_counters;

/* Fails for a card without registers over PCIe. */
int mkns_read_counters(const mkns_port *port, mkns_counters *counters);

#ifdef __cplusplus
}
#endif
#endif
