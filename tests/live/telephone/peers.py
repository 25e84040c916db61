"""Telephones and exchanges of others, as Debian has them, started on loopback."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import time
import wave
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np

from tests.live.telephone.certificates import Certificates

DOMAIN = "example.test"
TONE_HZ = 440.0
_MODULES = ("g711", "g722", "opus", "aufile", "ausine", "srtp")

KAMAILIO = """#!KAMAILIO
debug=2 log_stderror=yes fork=yes children=1 tcp_children=1 auto_aliases=no
alias="{domain}"
listen=udp:127.0.0.1:{port} listen=tcp:127.0.0.1:{port}
{tls}
mpath="/usr/lib/x86_64-linux-gnu/kamailio/modules/"
loadmodule "tm.so" loadmodule "sl.so" loadmodule "rr.so" loadmodule "pv.so" loadmodule "maxfwd.so"
loadmodule "usrloc.so" loadmodule "registrar.so" loadmodule "textops.so" loadmodule "siputils.so"
loadmodule "xlog.so" loadmodule "auth.so"
modparam("rr", "enable_full_lr", 1) modparam("usrloc", "db_mode", 0) modparam("registrar", "gruu_enabled", 0)
modparam("auth", "nonce_expire", 60) modparam("auth", "algorithm", "{algorithm}")
{relay}
request_route {{
    if (!mf_process_maxfwd_header("10")) {{ sl_send_reply("483","Too Many Hops"); exit; }}
    xlog("L_NOTICE", "REQ $rm has-totag $tt\\n");
    if (is_method("CANCEL")) {{ if (t_check_trans()) t_relay(); exit; }}
    if (has_totag()) {{
        if (loose_route()) {{
            route(MEDIA);
            if (is_method("INVITE")) t_on_reply("REPLY");
            t_relay(); exit;
        }}
        if (is_method("ACK")) {{ if (t_check_trans()) t_relay(); exit; }}
        sl_send_reply("404","Not here"); exit;
    }}
    if (is_method("OPTIONS") && uri==myself) {{ sl_send_reply("200","OK"); exit; }}
    if (is_method("REGISTER|INVITE")) {{
        $var(pw) = "pw-" + $au;
        if (!pv_auth_check("{domain}", "$var(pw)", "0", "1")) {{ auth_challenge("{domain}", "1"); exit; }}
        if (!is_method("REGISTER")) consume_credentials();
    }}
    if (is_method("REGISTER")) {{ save("location"); exit; }}
    if (is_method("INVITE")) record_route();
    if (!lookup("location")) {{ sl_send_reply("404","Not Found"); exit; }}
    route(MEDIA);
    t_on_reply("REPLY");
    t_relay();
}}
route[MEDIA] {{
    {offer}
    return;
}}
onreply_route[REPLY] {{
    {answer}
    return;
}}
"""
"""Takes every user whose password is ``pw-USER``; stays on the way of a call, and of its sound where there is
a relay."""
_TLS = """enable_tls=yes listen=tls:127.0.0.1:{port}
mpath="/usr/lib/x86_64-linux-gnu/kamailio/modules/"
loadmodule "tls.so" modparam("tls", "private_key", "{key}")
modparam("tls", "certificate", "{certificate}") modparam("tls", "tls_method", "TLSv1.2+")"""
_RELAY = 'loadmodule "rtpengine.so" modparam("rtpengine", "rtpengine_sock", "udp:127.0.0.1:{relay}")'
_RELAYED = "replace-origin replace-session-connection ICE=remove"
_OFFER = (
    f'if (is_method("INVITE")) rtpengine_offer("{{way}} {_RELAYED}"); '
    'if (is_method("BYE|CANCEL")) rtpengine_delete();'
)
_ANSWER = f'if (has_body("application/sdp")) rtpengine_answer("{_RELAYED}");'


def free_port() -> int:
    """Free over UDP and TCP, and the one after it as well."""
    while True:
        with contextlib.ExitStack() as open_:
            port = 0
            try:
                for kind in (socket.SOCK_DGRAM, socket.SOCK_STREAM):
                    for step in (0, 1):
                        one = open_.enter_context(socket.socket(socket.AF_INET, kind))
                        one.bind(("127.0.0.1", port + step if port else 0))
                        port = port or one.getsockname()[1]
            except OSError:
                continue
            return port


@contextlib.contextmanager
def kamailio(
    folder: Path,
    *,
    algorithm: str = "MD5",
    tls: Certificates | None = None,
    relay: int | None = None,
    way: str = "RTP/AVP",
) -> Iterator[tuple[int, Path]]:
    """A proxy and registrar: its port, and its log. With certificates it takes TLS at the next port.

    Args:
        relay: Where rtpengine listens that sound is to go through.
        way: How sound goes to the one who is called, through rtpengine.
    """
    folder.mkdir(parents=True, exist_ok=True)
    port = free_port()
    config = folder / "kamailio.cfg"
    secure = "" if tls is None else _TLS.format(port=port + 1, key=tls.key, certificate=tls.certificate)
    config.write_text(
        KAMAILIO.format(
            domain=DOMAIN,
            port=port,
            algorithm=algorithm,
            tls=secure,
            relay="" if relay is None else _RELAY.format(relay=relay),
            offer="" if relay is None else _OFFER.format(way=way),
            answer="" if relay is None else _ANSWER,
        )
    )
    command = ["kamailio", "-f", str(config), "-DD", "-E", "-m", "64", "-M", "8", "-Y", str(folder)]
    with _running(command, folder, ready=lambda log: _answers(port)):
        yield port, folder / "log"


@contextlib.contextmanager
def rtpengine(folder: Path) -> Iterator[tuple[int, range]]:
    """A relay of sound: the port of its control, and the ports at which it takes sound."""
    folder.mkdir(parents=True, exist_ok=True)
    control, first = free_port(), free_port()
    command = ["rtpengine", "--config-file=none", "--foreground", "--log-stderr", "--table=-1"]
    command += ["--interface=127.0.0.1", f"--listen-ng=127.0.0.1:{control}", "--log-level=6"]
    command += [f"--port-min={first}", f"--port-max={first + 100}", f"--pidfile={folder}/pid"]
    with _running(command, folder, ready=lambda log: "Startup complete" in log):
        yield control, range(first, first + 101)


@contextlib.contextmanager
def python_baresip(folder: Path, *, proxy: int) -> Iterator[None]:
    """A telephone of the package baresip-python, which registers as ``py`` at a proxy, picks up and plays a
    tone. Its interpreter is ours."""
    folder.mkdir(parents=True, exist_ok=True)
    program = Path(__file__).with_name("python_baresip_phone.py")
    command = [sys.executable, "-P", str(program), str(proxy), DOMAIN, str(free_port())]
    with _running(command, folder, ready=lambda log: "registered" in log):
        yield


@contextlib.contextmanager
def baresip(
    folder: Path, account: str, *, tls: Certificates | None = None, control: int | None = None
) -> Iterator[int]:
    """A telephone that picks up and plays a tone: its port; the next one is for TLS.

    Args:
        account: Parameters of its account; ``{port}`` in it is its own port, ``{tls_port}`` that for TLS.
        control: Port at which it is told to call (:func:`dial`).
    """
    folder.mkdir(parents=True, exist_ok=True)
    port = free_port()
    _tone(folder / "tone.wav", 8000)
    lines = ["module_path /usr/lib/baresip/modules", *(f"module {one}.so" for one in _MODULES)]
    lines += ["module_app account.so", "module_app menu.so", f"sip_listen 127.0.0.1:{port}"]
    lines += ["net_interface 127.0.0.1", f"audio_source aufile,{folder}/tone.wav", "audio_path /nonexistent"]
    lines += ["ausrc_srate 8000", "ausrc_channels 1"]
    if control is not None:
        lines += ["module_app ctrl_tcp.so", f"ctrl_tcp_listen 127.0.0.1:{control}"]
    if tls is not None:
        lines += [f"sip_certificate {tls.key_and_certificate}", f"sip_cafile {tls.authority}"]
    (folder / "config").write_text("\n".join(lines) + "\n")
    (folder / "accounts").write_text(account.format(port=port, tls_port=port + 1) + "\n")
    registers = "regint=60" in account
    wanted = "200 OK (kamailio" if registers else "baresip is ready."
    command = ["baresip", "-4", "-v", "-s", "-f", str(folder)]
    with _running(command, folder, ready=lambda log: wanted in log):
        yield port


def dial(control: int, to: str) -> None:
    """Has a baresip call somebody."""
    told = json.dumps({"command": "dial", "params": to, "token": "t"})
    with socket.create_connection(("127.0.0.1", control), timeout=5) as connection:
        connection.sendall(f"{len(told)}:{told},".encode())
        connection.recv(1000)


LINPHONE = """[sip]
sip_port={port}
sip_tcp_port=0
sip_tls_port=0
bind_address=127.0.0.1
use_ipv6=0
guess_hostname=0
contact=sip:lin@127.0.0.1
media_encryption=none
default_proxy=0
[net]
firewall_policy=none
[rtp]
bind_address=127.0.0.1
[sound]
echocancellation=0
[video]
enabled=0
[proxy_0]
reg_proxy=<sip:127.0.0.1:{proxy};transport=udp>
reg_route=<sip:127.0.0.1:{proxy};transport=udp;lr>
reg_identity=sip:lin@{domain}
reg_expires=600
reg_sendregister=1
publish=0
[auth_info_0]
username=lin
passwd=pw-lin
realm={domain}
domain={domain}
"""


@contextlib.contextmanager
def linphonec(folder: Path, *, proxy: int, proxy_log: Path, calls: str = "") -> Iterator[None]:
    """A telephone that registers as ``lin`` at a proxy, picks up and plays a tone; or calls somebody."""
    before = proxy_log.read_text(errors="replace").count("REQ REGISTER")
    (folder / ".local/share/linphone").mkdir(parents=True)
    _tone(folder / "tone.wav", 8000)
    (folder / "rc").write_text(LINPHONE.format(port=free_port(), proxy=proxy, domain=DOMAIN))
    command = ["linphonec", "-c", str(folder / "rc"), "-a"]
    with _running(
        command,
        folder,
        # It does not say so itself: it asks, is asked who it is, and asks again.
        ready=lambda log: proxy_log.read_text(errors="replace").count("REQ REGISTER") >= before + 2,
        say=("soundcard use files", f"play {folder}/tone.wav", *([f"call {calls}"] if calls else [])),
        home=folder,
    ):
        yield


def tone_share(sound: np.ndarray, rate_hz: int = 48_000, tone_hz: float = TONE_HZ) -> float:
    """How much of a sound is a tone of that frequency: 1 for nothing else (Goertzel)."""
    if len(sound) == 0 or not np.any(sound):
        return 0.0
    turn = np.exp(-2j * np.pi * tone_hz * np.arange(len(sound)) / rate_hz)
    return float(2 * np.abs(np.dot(sound, turn)) ** 2 / (len(sound) * np.dot(sound, sound)))


@contextlib.contextmanager
def _running(
    command: Sequence[str],
    folder: Path,
    *,
    ready: Callable[[str], bool],
    say: Sequence[str] = (),
    home: Path | None = None,
) -> Iterator[None]:
    log = folder / "log"
    environment = {**os.environ, "TERM": "dumb"} | ({"HOME": str(home)} if home else {})
    with log.open("wb") as out:
        process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE if say else subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            env=environment,
        )
    try:
        if say and process.stdin is not None:
            process.stdin.write("".join(f"{line}\n" for line in say).encode())
            process.stdin.flush()
        deadline = time.monotonic() + 20
        while not ready(log.read_text(errors="replace")):
            assert process.poll() is None, log.read_text(errors="replace")[-2000:]
            assert time.monotonic() < deadline, f"not ready: {log.read_text(errors='replace')[-2000:]}"
            time.sleep(0.05)
        yield
    finally:
        process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(3)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        if process.stdin is not None:
            process.stdin.close()


def _answers(port: int) -> bool:
    """Whether an exchange answers OPTIONS."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        asking.settimeout(0.2)
        asking.bind(("127.0.0.1", 0))
        own = asking.getsockname()[1]
        asking.sendto(
            (
                f"OPTIONS sip:{DOMAIN} SIP/2.0\r\nVia: SIP/2.0/UDP 127.0.0.1:{own};branch=z9hG4bK{own}\r\n"
                f"From: <sip:t@{DOMAIN}>;tag=1\r\nTo: <sip:{DOMAIN}>\r\nCall-ID: {own}\r\n"
                "CSeq: 1 OPTIONS\r\nMax-Forwards: 5\r\nContent-Length: 0\r\n\r\n"
            ).encode(),
            ("127.0.0.1", port),
        )
        try:
            return asking.recv(2000).startswith(b"SIP/2.0 200")
        except OSError:
            return False


def _tone(path: Path, rate_hz: int, seconds: int = 60) -> None:
    sound = 0.3 * np.sin(2 * np.pi * TONE_HZ * np.arange(seconds * rate_hz) / rate_hz)
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(rate_hz)
        file.writeframes((sound * 32767).astype("<i2").tobytes())
