"""What code that is traced may try: each attack as a small program, and what becomes of it.

A program runs as a target that is traced does.  It is given a folder OUTSIDE of the throwaway folder with a file
``kept``, the number of another process (VICTIM), a PORT and the path of a SERVICE that somebody listens on, and `c`,
which calls a function of C and raises OSError where that fails.

    refused    the program gets an error, and nothing has happened
    contained  it goes through and costs nothing but its own results: no process, no file, no other verdict
    possible   it goes through, and what it has done stays
"""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import dedent, indent

REFUSED, CONTAINED, POSSIBLE = "refused", "contained", "possible"


@dataclass(frozen=True)
class Attack:
    """``bounded``: its outcome where the kernel helps; ``hooked``: where there is the audit hook alone."""

    what: str
    program: str
    bounded: str
    hooked: str

    @property
    def name(self) -> str:
        return "".join(letter if letter.isalnum() else "_" for letter in self.what)

    def text(self, outside: str) -> str:
        """The target `run_…`, which says how it went."""
        body = indent(dedent(self.program).strip(), "        ")
        head = f"def run_{self.name}():\n    OUTSIDE = {outside!r}\n    def attack():\n"
        return f"{head}{body}\n    return outcome(attack)\n"

    def row(self) -> str:
        return f"| {self.what} | {self.bounded} | {self.hooked} |"


HELPERS = """
import ctypes, gc, multiprocessing.shared_memory, os, resource, signal, socket, sqlite3, ssl, subprocess, sys, syslog

LIBC = ctypes.CDLL(None, use_errno=True)

def c(name, *arguments):
    result = getattr(LIBC, name)(*arguments)
    if result == -1:
        raise OSError(ctypes.get_errno(), name)
    return result

def mark():
    frame = sys._getframe()
    while "mark" not in frame.f_locals:
        frame = frame.f_back
    return frame.f_locals

def say(text):
    found = mark()
    os.write(found["answers"], text.replace("MARK", f"{found['mark']} {found['number']}").encode())

def address(path):
    return ctypes.create_string_buffer(b"\\1\\0" + path.encode().ljust(108, b"\\0"), 110)

def outcome(attack):
    try:
        attack()
    except (OSError, MemoryError, RuntimeError, ValueError, sqlite3.Error) as error:
        return f"refused: {error!r}"
    return "through"
"""


def _rows(*rows: tuple[str, str, str, str]) -> tuple[Attack, ...]:
    return tuple(Attack(what, program, bounded, hooked) for what, bounded, hooked, program in rows)


ATTACKS = _rows(
    # -- files
    ("a file is opened for writing", REFUSED, REFUSED, "open(OUTSIDE + '/kept', 'a')"),
    (
        "a file is opened for writing relative to an open folder (`dir_fd`)",
        REFUSED,
        POSSIBLE,
        "os.open('new', os.O_CREAT | os.O_WRONLY, dir_fd=os.open(OUTSIDE, os.O_RDONLY))",
    ),
    ("a file is opened for writing by C", REFUSED, POSSIBLE, "c('creat', (OUTSIDE + '/kept').encode(), 0o600)"),
    (
        "a file is opened for writing once the hook has been disarmed",
        REFUSED,
        POSSIBLE,
        """
        for each in gc.get_objects():
            if type(each).__name__ == "Fence":
                each._checks.clear()
        open(OUTSIDE + "/new", "w")
        """,
    ),
    ("a file is removed", REFUSED, REFUSED, "os.remove(OUTSIDE + '/kept')"),
    ("a file is removed by C", REFUSED, POSSIBLE, "c('unlink', (OUTSIDE + '/kept').encode())"),
    ("a file is cut off by C", REFUSED, POSSIBLE, "c('truncate', (OUTSIDE + '/kept').encode(), ctypes.c_long(0))"),
    ("a file is moved by C", REFUSED, POSSIBLE, "c('rename', (OUTSIDE + '/kept').encode(), b'taken')"),
    ("`os.mkfifo`", REFUSED, REFUSED, "os.mkfifo(OUTSIDE + '/new')"),
    ("`os.mknod`", REFUSED, REFUSED, "os.mknod(OUTSIDE + '/new', 0o600)"),
    ("a named pipe is made by C", REFUSED, POSSIBLE, "c('mkfifo', (OUTSIDE + '/new').encode(), 0o600)"),
    ("mode or times of a file", REFUSED, REFUSED, "os.chmod(OUTSIDE + '/kept', 0o777)"),
    (
        "mode or times of a file that is open for reading, through its descriptor",
        REFUSED,
        REFUSED,
        "os.chmod(os.open(OUTSIDE + '/kept', os.O_RDONLY), 0o777)",
    ),
    ("mode or times of a file by C", POSSIBLE, POSSIBLE, "c('chmod', (OUTSIDE + '/kept').encode(), 0o777)"),
    (
        "SQLite opens a file by an address",
        REFUSED,
        REFUSED,
        "sqlite3.connect(f'file:{OUTSIDE}/new?mode=rwc', uri=True).execute('create table t (x)')",
    ),
    (
        "SQLite attaches a file, or copies into one",
        REFUSED,
        POSSIBLE,
        """
        through = 0
        for statement in ("attach ? as other", "vacuum into ?", f"attach '{OUTSIDE}/new' as other"):
            try:
                connection = sqlite3.connect(":memory:", isolation_level=None)
                connection.execute("create table t (x)")
                connection.execute(statement, (OUTSIDE + "/new",) * statement.count("?"))
                connection.execute("create table other.t (x)")
                through += 1
            except sqlite3.Error:
                pass
        if not through:
            raise PermissionError
        """,
    ),
    (
        "TLS keys are logged to a file",
        REFUSED,
        POSSIBLE,
        "ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).keylog_filename = OUTSIDE + '/new'",
    ),
    (
        "JAX's profiler writes a trace",
        REFUSED,
        POSSIBLE,
        """
        import jax
        with jax.profiler.trace(OUTSIDE + "/new"):
            pass
        """,
    ),
    (
        "shared memory",
        REFUSED,
        REFUSED,
        "multiprocessing.shared_memory.SharedMemory(create=True, size=10, name=f'jaxlint{VICTIM}')",
    ),
    (
        "shared memory by C",
        REFUSED,
        POSSIBLE,
        "os.close(c('shm_open', f'/jaxlint{VICTIM}'.encode(), os.O_CREAT | os.O_RDWR, 0o600))",
    ),
    (
        "a file of a terabyte in the throwaway folder",
        REFUSED,
        REFUSED,
        "os.ftruncate(os.open('large', os.O_CREAT | os.O_RDWR), 1 << 40)",
    ),
    (
        "folders that are closed to their owner are left in the throwaway folder",
        CONTAINED,
        CONTAINED,
        "os.makedirs('closed/within/within'); os.chmod('closed/within', 0); os.chmod('closed', 0)",
    ),
    # -- processes
    ("a program is started", REFUSED, REFUSED, "subprocess.run(['true'])"),
    (
        "a program is started by `os.posix_spawn`, `os.system` or `_posixsubprocess`",
        REFUSED,
        REFUSED,
        """
        import _posixsubprocess
        for start in (
            lambda: os.posix_spawn("/bin/true", ["true"], {}),
            lambda: os.system("true"),
            lambda: _posixsubprocess.fork_exec(),
        ):
            try: start()
            except PermissionError: continue
            break
        else:
            raise PermissionError
        """,
    ),
    (
        "a process of `multiprocessing`, forked or spawned",
        REFUSED,
        REFUSED,
        """
        for way in ("fork", "spawn"):
            try: multiprocessing.get_context(way).Process(target=print).start()
            except PermissionError: continue
            break
        else:
            raise PermissionError
        """,
    ),
    (
        "a program is started by C",
        REFUSED,
        POSSIBLE,
        "if LIBC.system(f'touch {OUTSIDE}/new'.encode()): raise PermissionError",
    ),
    (
        "a process is forked by C and leaves its group and session",
        REFUSED,
        CONTAINED,
        """
        if c("fork") == 0:
            LIBC.setsid()
            signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 32))
            while True: signal.pause()
        """,
    ),
    # -- other processes
    ("a signal to another process", REFUSED, REFUSED, "os.kill(VICTIM, signal.SIGKILL)"),
    (
        "a signal through a descriptor (`pidfd`)",
        REFUSED,
        REFUSED,
        "signal.pidfd_send_signal(os.pidfd_open(VICTIM), signal.SIGKILL)",
    ),
    ("a signal by C", REFUSED, POSSIBLE, "c('kill', VICTIM, 0)"),
    (
        "a signal through a descriptor by C",
        REFUSED,
        POSSIBLE,
        "c('syscall', 424, os.pidfd_open(VICTIM), 0, None, 0)",
    ),
    ("a limit of another process", REFUSED, REFUSED, "resource.prlimit(VICTIM, resource.RLIMIT_CORE, (0, 0))"),
    (
        "a limit of another process by C",
        REFUSED,
        POSSIBLE,
        "c('prlimit', VICTIM, resource.RLIMIT_CORE, (ctypes.c_ulong * 2)(), None)",
    ),
    ("the priority of another process", REFUSED, POSSIBLE, "os.setpriority(os.PRIO_PROCESS, VICTIM, 19)"),
    (
        "the memory or the variables of another process are read",
        REFUSED,
        POSSIBLE,
        "open(f'/proc/{VICTIM}/environ', 'rb').read()",
    ),
    # -- the network
    ("a connection", REFUSED, REFUSED, "socket.create_connection(('127.0.0.1', PORT))"),
    ("a server that never bound its address (`listen`)", REFUSED, POSSIBLE, "socket.socket().listen()"),
    ("a socket is made by C", REFUSED, POSSIBLE, "c('socket', socket.AF_INET, socket.SOCK_DGRAM, 0)"),
    (
        "C connects to the socket of a service (of Docker, say)",
        REFUSED,
        POSSIBLE,
        "c('connect', c('socket', 1, 1, 0), address(SERVICE), 110)",
    ),
    (
        "JAX's profiler waits for connections",
        REFUSED,
        POSSIBLE,
        """
        import jax
        jax.profiler.start_server(PORT + 1)
        sockets = [line.split() for name in ("tcp", "tcp6") for line in open(f"/proc/self/net/{name}")]
        if not any(each[1].endswith(f":{PORT + 1:04X}") for each in sockets):
            raise PermissionError  # it says so on its standard error only
        """,
    ),
    ("the system's log", REFUSED, REFUSED, "syslog.syslog('hello')"),
    # -- the workers' own pipes
    (
        "nonsense is written to all pipes that are open",
        CONTAINED,
        CONTAINED,
        """
        for descriptor in range(3, 64):
            try: os.write(descriptor, b"\\nresult {}\\njob 1\\nended 0\\n" * 50)
            except OSError: pass
        """,
    ),
    (
        "the mark of a worker is found, and things are said in its name",
        CONTAINED,
        CONTAINED,
        """
        say(f"\\nMARK job {VICTIM}\\nMARK job 1\\nMARK job {'9' * 5000}\\nMARK result {'[' * 200_000}\\n")
        say('\\nMARK result {"record":"Job"}\\nMARK result 1\\nMARK result {"record":"Result","module":1}\\n')
        say('\\nMARK quiet {"record":"Result","module":"m","qualname":"q","outcome":"crashed"}\\n')
        """,
    ),
    (
        "the end of another function is said in a worker's name",
        CONTAINED,
        CONTAINED,
        "say(f'\\nMARK ended {1 << 40}\\nMARK ended 0\\n')",
    ),
    ("the pipes are closed", CONTAINED, CONTAINED, "os.closerange(0, 4096)"),
    ("endless lines are written to a worker's pipe", CONTAINED, CONTAINED, "while True: say('x' * 60_000 + '\\n')"),
    ("a line without an end is written to it", CONTAINED, CONTAINED, "while True: say('x' * 60_000)"),
    # -- limits
    ("more memory than the limit", REFUSED, REFUSED, "bytearray(40 << 30)"),
    (
        "more memory than the limit by C",
        REFUSED,
        REFUSED,
        "c('mmap', None, ctypes.c_size_t(40 << 30), 3, 0x22, -1, ctypes.c_long(0))",
    ),
    (
        "the limit is raised",
        REFUSED,
        REFUSED,
        "resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))",
    ),
)
