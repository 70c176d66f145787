#!/usr/bin/python3
"""A region for Roomkeeper in one file: Python 3.11, its standard library, and libcrypto for AES-GCM.

All that the region knows is in one SQLite database, region.db: rooms, users, settings, jobs, fences, redirects.
Databases of rooms and uploaded files are files beside it, which rows of region.db name. So each change, with the
job that makes it and its fence, is one transaction: a region that is killed has all of it or nothing. Files that
no row names are removed at the next start. What has an unknown author is read in child processes (`--child`).
"""
import base64, contextlib, ctypes, datetime, fcntl, hashlib, hmac, http.client, http.server, ipaddress
import json, os, re, resource, secrets, select, shutil, signal, socket, sqlite3, ssl, stat, subprocess
import sys, threading, time, traceback, unicodedata, urllib.parse, uuid, zipfile, zlib
from decimal import Decimal

MIB = 1024 * 1024
HOUR = 3600
BASE = "/region/v1/"
SCHEMA_VERSION = 2
CAPABILITIES = ["consoleRecord", "deleteFile", "digest", "purgeRoom", "raiseFences", "replaceRoom", "routes",
                "verifyBackup"]
EVERYTHING_LICENCES = ["YABD", "YAAD", "YPMBA", "YPMAA", "YPMAE", "YPMEA", "YPMEE", "ESA"]
SECRETS = {"password", "systemPassword", "ticket", "accessKey", "secretKey", "sessionToken"}
CODES = {
    400: "malformed invalid-input", 401: "wrong-credentials signed-out",
    403: "object-store-refused room-suspended room-expired wrong-system-password",
    404: "no-such-call room-unknown user-unknown database-unknown document-unknown job-unknown content-gone "
         "file-unknown object-unknown",
    408: "too-slow",
    409: "room-damaged room-differs room-exists product-not-served locked-by-another owner-kept database-exists "
         "job-differs job-has-ended file-not-begun file-exists file-incomplete range-mismatch upload-overtaken "
         "overtaken cancelled no-documents",
    411: "length-required", 413: "too-large", 415: "wrong-media-type", 416: "wrong-range",
    422: "digest-mismatch wrong-password damaged-file wrong-content takes-too-long takes-too-much reading-fails "
         "product-differs schema-too-new",
    423: "room-locked", 429: "too-many-attempts", 500: "internal", 502: "object-differs file-not-sent",
    503: "interrupted unfinished object-store-unreachable sandbox-killed", 507: "storage-full",
}
STATUS = {code: status for status, codes in CODES.items() for code in codes.split()}


class Problem(Exception):
    """A refusal of a call, or the end of a job."""

    def __init__(self, code, detail):
        super().__init__(detail)
        self.code, self.detail, self.status = code, detail[:1000], STATUS[code]

    def body(self):
        title = self.code.replace("-", " ").capitalize()
        return {"type": f"urn:roomkeeper-region:{self.code}", "title": title, "status": self.status,
                "detail": self.detail}


class RoomUnknown(Problem):
    def __init__(self, name):
        super().__init__("room-unknown", f"There is no project room named {name} on this region.")


def sqlite_code(error):
    return getattr(error, "sqlite_errorcode", 0) & 255


def is_full(error):
    """ENOSPC, EDQUOT, or what SQLite says of them."""
    return sqlite_code(error) == sqlite3.SQLITE_FULL or getattr(error, "errno", 0) in (28, 122)


def as_problem(error):
    """What an exception means to an operator; defects are logged."""
    if isinstance(error, Problem):
        return error
    if is_full(error):
        return Problem("storage-full", "There is no space left on this region.")
    traceback.print_exception(error, file=sys.stderr)
    if sqlite_code(error) in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        return Problem("room-damaged", "A database of the project room cannot be read.")
    return Problem("internal", "The region has met an error of its own; its log says more.")


def now_text(seconds=None):
    moment = datetime.datetime.fromtimestamp(time.time() if seconds is None else seconds, datetime.timezone.utc)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def need_space(folder, size):
    """What comes from outside may not take the last of the disk, so that deletions work."""
    disk = os.statvfs(folder)
    headroom = min(256 * MIB, disk.f_blocks * disk.f_frsize // 50)
    if disk.f_bavail * disk.f_frsize - size < headroom:
        raise Problem("storage-full", "There is no space left on this region.")


def sync_folder(path):
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def sync_file(path):
    sync_folder(path)  # the same calls
    sync_folder(os.path.dirname(path))


def remove_file(path):
    for name in (path, path + "-wal", path + "-shm", path + "-journal"):
        with contextlib.suppress(FileNotFoundError):
            os.unlink(name)


def sha256_of(path):
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


# ---- Shapes: each checks a value, and gives it back with defaults filled in and unknown fields left out ----

ABSENT = object()


def wrong(at, what):
    raise Problem("invalid-input", f"{at or 'The body'} {what}.")


def text(low=0, high=None, pattern=None):
    def check(value, at):
        if not isinstance(value, str) or len(value) < low or (high is not None and len(value) > high):
            wrong(at, f"has to be a text of {low} to {high} characters")
        if pattern and not re.fullmatch(pattern, value):
            wrong(at, f"does not have the form {pattern}")
        return value
    return check


def whole(low=0, high=2**53 - 1):
    def check(value, at):
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if type(value) is not int or not low <= value <= high:
            wrong(at, f"has to be a whole number from {low} to {high}")
        return value
    return check


def one_of(*values):
    def check(value, at):
        if not any(value is known or (type(value) is type(known) and value == known) for known in values):
            wrong(at, f"has to be one of {', '.join(map(str, values))}")
        return value
    return check


def nullable(shape):
    return lambda value, at: None if value is None else shape(value, at)


def listing(shape, most, least=0):
    def check(value, at):
        if not isinstance(value, list) or not least <= len(value) <= most:
            wrong(at, f"has to be a list of {least} to {most} entries")
        return [shape(entry, f"{at}[{index}]") for index, entry in enumerate(value)]
    return check


class Optional:
    def __init__(self, shape, default=ABSENT):
        self.shape, self.default = shape, default


def record(**fields):
    def check(value, at=""):
        if not isinstance(value, dict):
            wrong(at, "has to be an object")
        known = {}
        for name, shape in fields.items():
            name = name.rstrip("_")
            here = f"{at}.{name}" if at else name
            if isinstance(shape, Optional):
                if name in value:
                    known[name] = shape.shape(value[name], here)
                elif shape.default is not ABSENT:
                    known[name] = shape.default
            elif name not in value:
                wrong(here, "is missing")
            else:
                known[name] = shape(value[name], here)
        return known
    return check


def uuid_text(value, at):
    pattern = "[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
    if not isinstance(value, str) or not re.fullmatch(pattern, value):
        wrong(at, "has to be a UUID")
    return value.lower()


def date_text(value, at):
    try:
        if re.fullmatch(r"\d{4}-\d\d-\d\d", value, re.ASCII):
            return datetime.date.fromisoformat(value) and value
    except (TypeError, ValueError):
        pass
    wrong(at, "has to be a date such as 2027-12-31")


def time_text(value, at):
    try:
        if re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z", value, re.ASCII):
            return datetime.datetime.fromisoformat(value[:19]) and value
    except (TypeError, ValueError):
        pass
    wrong(at, "has to be a time such as 2027-01-31T09:30:00.000Z")


def address(value, at):
    """http or https, in ASCII, without a user name, query and fragment."""
    text(0, 2048, r"(?i:https?)://[!-~]+")(value, at)
    try:
        parts = urllib.parse.urlsplit(value)
        odd = {"?", "#", "@", "\\"} & set(value)
        if parts.hostname and not odd and (parts.port is None or parts.port > 0):
            return value.rstrip("/")
    except ValueError:
        pass
    wrong(at, "has to be an http or https address")


def host_address(value, at):
    value = address(value, at)
    if urllib.parse.urlsplit(value).path:
        wrong(at, "may have nothing behind the host")
    return value


def database_name(value, at):
    value = unicodedata.normalize("NFC", text(1, 240)(value, at))
    kinds = [unicodedata.category(character)[0] for character in value]
    fits = kinds[0] in "LN" and all(kind in "LMN" or c in " ()._-" for kind, c in zip(kinds, value))
    if not fits or len(value) > 60 or value[-1] in " .":
        wrong(at, "is not the name of a database")
    return value


def fold(name):
    return unicodedata.normalize("NFC", name).lower()


def one_source(value, at):
    """`from`: a file of the region, or an object of a store."""
    if not isinstance(value, dict) or len(value) != 1 or not set(value) <= {"file", "source"}:
        wrong(at, "has to have either file or source, and nothing else")
    return record(file=Optional(CALLER_ID), source=Optional(STORE_LOCATION))(value, at)


def object_key(value, at):
    if not {".", ".."}.isdisjoint(text(1, 1024, r"\S{1,1024}")(value, at).split("/")):
        wrong(at, "may have no part . or ..")
    return value


ROOM_NAME = text(0, 24, "[a-z][a-z0-9]{2,23}")
CALLER_ID = text(0, 128, "[A-Za-z0-9][A-Za-z0-9:._-]{0,127}")
PRODUCT = one_of("ARIS", "MINING", "ENTERPRISE")
HOLDER = text(1, 200)
LICENCE = record(licenseKey=text(0, 40), licenseAmount=whole(), licenseType=one_of("NUC", "CUC", "TEN"))
SUB_LICENCE = record(licenseKey=text(0, 40), subLicenseAmount=whole(), productKey=text(0, 40))
CONTACTS = record(companyName=text(), customerFirstName=text(), customerLastName=text(),
                  customerContactDetails=nullable(text()), ownerEmail=text(), delegateEmail=nullable(text()))
SETTINGS = {
    "licences": listing(LICENCE, 1000), "subLicences": listing(SUB_LICENCE, 1000),
    "subMiningType": one_of("NONE", "MINING_BASIC", "MINING_ENTERPRISE"), "expirationDate": nullable(date_text),
    "contacts": CONTACTS,
}
PLACE = {"product": PRODUCT, "edition": one_of("basic", "advanced", "enterprise", "advanced-base-extension",
                                               "enterprise-shared")}
STORE_LOCATION = record(
    endpoint=nullable(address), region=text(1, 100, "[a-z0-9-]+"), bucket=text(3, 63, "[a-z0-9][a-z0-9.-]+"),
    key=object_key, accessKey=text(1, 256), secretKey=text(1, 1024), sessionToken=nullable(text(0, 8192)))
OWN_ROOM = record(roomId=uuid_text)
LOCKING = record(roomId=uuid_text, holder=HOLDER)
CREATION = record(**SETTINGS, **PLACE, roomId=uuid_text, lockHolder=Optional(HOLDER),
                  state=Optional(one_of("active", "suspended"), "active"))
CHANGE = record(**{name: Optional(shape) for name, shape in SETTINGS.items()}, roomId=uuid_text)
BACKUP_FILE = record(path=text(0, 200), size=whole(), sha256=text(64, 64, "[0-9a-f]{64}"))
KIND = one_of("room", "product")
MANIFEST = record(format=one_of(1), kind=KIND, createdAt=time_text, room=ROOM_NAME, **PLACE, **SETTINGS,
                  schemaVersion=whole(1), files=listing(BACKUP_FILE, 10000))
FENCES = record(fences=listing(record(operation=text(1, 200), fence=whole(0, 10**15 - 1)), 1000, 1))

READS = {"room": ROOM_NAME, "roomId": Optional(uuid_text)}
WRITES = {"room": ROOM_NAME, "roomId": uuid_text, "holder": Optional(HOLDER)}
EXPORT = {"database": database_name, "file": CALLER_ID, "password": text(1, 1024)}
JOB_SHAPES = {
    "backupRoom": record(**READS, kind=Optional(KIND, "room"), digest=Optional(one_of(True))),
    "restoreRoom": record(**WRITES, file=CALLER_ID, digest=Optional(one_of(True))),
    "deleteRoom": record(**WRITES, keepRoute=Optional(one_of(True, False), False)),
    "purgeRoom": record(room=ROOM_NAME, roomId=uuid_text, files=Optional(listing(CALLER_ID, 10000), []),
                        look=Optional(one_of(True, False))),
    "backupDatabase": record(**READS, database=database_name, password=text(1, 1024)),
    "restoreDatabase": record(**WRITES, **EXPORT),
    "importDatabase": record(**WRITES, **EXPORT),
    "deleteDatabase": record(**WRITES, database=database_name),
    "updateSystemDatabase": record(**WRITES, systemPassword=text(0, 1024)),
    "backupToObjectStore": record(**READS, target=STORE_LOCATION),
    "restoreFromObjectStore": record(**WRITES, source=STORE_LOCATION),
    "replaceRoom": record(**WRITES, keep=CALLER_ID, from_=one_source),
    "putBackRoom": record(**WRITES, kept=CALLER_ID),
    "verifyBackup": record(**READS, product=Optional(PRODUCT), from_=one_source),
    "digestRoom": record(**READS),
}


def fingerprint(value):
    """The same for the same input: the order of fields and secrets do not count."""
    def without_secrets(part):
        if isinstance(part, dict):
            return {name: without_secrets(inner) for name, inner in part.items() if name not in SECRETS}
        return [without_secrets(inner) for inner in part] if isinstance(part, list) else part
    line = json.dumps(without_secrets(value), sort_keys=True)
    return hashlib.sha256(line.encode()).hexdigest()


# ---- What is in a child process: content whose author nobody knows ----

SYSTEM_SQL = [
    "CREATE TABLE schema_version (version INTEGER NOT NULL) STRICT",
    "CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID",
    """CREATE TABLE licences (
  position INTEGER PRIMARY KEY, licenseKey TEXT NOT NULL, licenseAmount INTEGER NOT NULL, licenseType TEXT NOT NULL
) STRICT""",
    """CREATE TABLE sub_licences (
  position INTEGER PRIMARY KEY, licenseKey TEXT NOT NULL, subLicenseAmount INTEGER NOT NULL, productKey TEXT NOT NULL
) STRICT""",
    """CREATE TABLE users (
  id TEXT PRIMARY KEY, email TEXT NOT NULL UNIQUE COLLATE NOCASE, role TEXT NOT NULL,
  licenseKey TEXT, createdAt TEXT NOT NULL
) STRICT, WITHOUT ROWID""",
    """CREATE TABLE sessions (
  id TEXT PRIMARY KEY, userId TEXT NOT NULL REFERENCES users ON DELETE CASCADE, tokenHash TEXT NOT NULL,
  startedAt TEXT NOT NULL, lastActiveAt TEXT NOT NULL
) STRICT, WITHOUT ROWID""",
    "CREATE TABLE backups (database TEXT PRIMARY KEY, takenAt TEXT NOT NULL) STRICT, WITHOUT ROWID",
    "CREATE UNIQUE INDEX sessions_by_token ON sessions (tokenHash)",  # the last two: version 2
    "CREATE INDEX sessions_by_user ON sessions (userId)",
]
SYSTEM_TABLES = {
    "settings": ["name", "value"],
    "licences": ["position", "licenseKey", "licenseAmount", "licenseType"],
    "sub_licences": ["position", "licenseKey", "subLicenseAmount", "productKey"],
    "users": ["id", "email", "role", "licenseKey", "createdAt"],
}
DOCUMENT_TABLES = {
    "about": "CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID",
    "documents": "CREATE TABLE documents (id TEXT PRIMARY KEY, body TEXT NOT NULL, changedAt TEXT NOT NULL) "
                 "STRICT, WITHOUT ROWID",
}
SQLITE_MAGIC = b"SQLite format 3\0"


def tick(**news):
    """A sign of life to the region, without which it ends the child."""
    try:
        print(json.dumps(news), flush=True)
    except BrokenPipeError:  # the region is gone
        os._exit(1)


def open_foreign(path, mode="ro&immutable=1"):
    """Reads a file that nobody changes: no log, no locks, and functions of its schema are not trusted."""
    db = sqlite3.connect(f"file:{urllib.parse.quote(path)}?mode={mode}", uri=True, isolation_level=None)
    db.text_factory = lambda raw: raw.decode("utf-8", "replace")
    db.execute("PRAGMA trusted_schema=OFF")
    db.execute("PRAGMA cell_size_check=ON")
    return db


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


def is_virtual(sql):
    return (sql or "").upper().startswith("CREATE VIRTUAL")


def js_number(value):
    """A real as JavaScript writes it (Number::toString)."""
    shortest = repr(value)
    if shortest[-1] == "f":
        return "Infinity" if value > 0 else "-Infinity"
    if "e" not in shortest:  # both write it alike
        return shortest.removesuffix(".0") if value else "0"
    sign, digits, exponent = Decimal(shortest).as_tuple()
    digits = "".join(map(str, digits))
    point = len(digits) + exponent  # where the decimal point stands, counted from the first digit
    digits = digits.rstrip("0")
    if len(digits) <= point <= 21:
        number = digits + "0" * (point - len(digits))
    elif 0 < point <= 21:
        number = digits[:point] + "." + digits[point:]
    elif -6 < point <= 0:
        number = "0." + "0" * -point + digits
    else:
        rest = "." + digits[1:] if len(digits) > 1 else ""
        number = f"{digits[0]}{rest}e{'+' if point > 0 else '-'}{abs(point - 1)}"
    return "-" * sign + number


DIGEST_VALUES = {
    type(None): lambda value: "null",
    int: lambda value: f'"i{value}"',
    float: lambda value: f'"r{js_number(value)}"',
    str: lambda value: json.dumps("t" + value, ensure_ascii=False),
    bytes: lambda value: f'"b{value.hex()}"',
}


def digest_tables(path, add, left_out=()):
    with contextlib.closing(open_foreign(path)) as db:
        tables = db.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'table' ORDER BY name").fetchall()
        for table, sql in tables:
            if table.lower().startswith("sqlite_") or is_virtual(sql) or table in left_out:
                continue
            columns = db.execute("SELECT name, pk FROM pragma_table_info(?) ORDER BY name", (table,)).fetchall()
            names = [name for name, _ in columns]
            key = [name for name, _ in sorted((c for c in columns if c[1]), key=lambda column: column[1])]
            add(json.dumps(["table", table, *names], ensure_ascii=False, separators=(",", ":")))
            order = ", ".join(f"{quoted(name)} COLLATE BINARY" for name in key or names)
            rows = db.execute(f"SELECT {', '.join(map(quoted, names))} FROM {quoted(table)} ORDER BY {order}")
            for number, row in enumerate(rows):
                add("[" + ",".join([DIGEST_VALUES[type(value)](value) for value in row]) + "]")
                if number % 5000 == 0:
                    tick()


def take_digest(task):
    """The digest of a room; without `system` and with `bare`, that of tables alone."""
    digest = hashlib.sha256()

    def add(line):
        digest.update(line.encode("utf-8") + b"\n")

    try:
        if task.get("system"):
            add('["system"]')
            digest_tables(task["system"], add, ("sessions", "backups"))
        for name, path in sorted(task["databases"], key=lambda entry: entry[0].encode("utf-16-be")):
            if not task.get("bare"):
                add(json.dumps(["database", name], ensure_ascii=False, separators=(",", ":")))
            digest_tables(path, add)
    except sqlite3.Error as error:
        raise_memory(error)
        raise Problem("reading-fails", f"A database cannot be read: {error}.")
    return digest.hexdigest()


def raise_memory(error):
    if sqlite_code(error) == sqlite3.SQLITE_NOMEM:
        raise MemoryError
    if is_full(error):
        raise OSError(28, "no space left")


def check_database(path, what, compare_indexes=True):
    """Refuses what is no database in order; tells whether its indexes had to be built anew."""
    with open(path, "rb") as file:
        if file.read(16) != SQLITE_MAGIC:
            raise Problem("wrong-content", f"{what} is not an SQLite database.")
    try:
        with contextlib.closing(open_foreign(path, "rw")) as db:  # read-only, SQLite passes over CHECKs
            schema = "SELECT count(*), total(length(CAST(sql AS BLOB))) FROM sqlite_schema"
            objects, length = db.execute(schema).fetchone()
            if objects > 20000 or length > 16 * MIB:
                raise Problem("wrong-content", f"{what} has too large a schema.")
            tick()
            fault = first_fault(db, "integrity_check" if compare_indexes else "quick_check")
            if fault is None:
                return False
            tick()
            fault = first_fault(db, "quick_check(30000)", "wrong # of entries in index ")
            if fault:
                raise Problem("wrong-content", f"{what} is damaged: {fault[:200]}.")
            tick()
            db.execute("REINDEX")
            tick()
            fault = first_fault(db, "integrity_check")
    except (sqlite3.Error, UnicodeError) as error:
        raise_memory(error)
        raise Problem("wrong-content", f"{what} is damaged: {error}.")
    if fault:
        raise Problem("wrong-content", f"{what} is damaged, also without its indexes: {fault[:200]}.")
    return True


def first_fault(db, pragma, allowed=None):
    """None: in order. Empty: only what is allowed."""
    faults = [row[0] for row in db.execute(f"PRAGMA {pragma}") if row[0] != "ok"]
    if not allowed:
        return faults[0] if faults else None
    return next((fault for fault in faults if not fault.startswith(allowed)), "")


def holds_documents(path):
    """Whether the tables for documents are exactly the region's own, so that no trigger of others fires."""
    with contextlib.closing(open_foreign(path)) as db:
        if db.execute("PRAGMA auto_vacuum").fetchone()[0] != 0:
            return False
        schema = db.execute("SELECT type, name, tbl_name, sql FROM sqlite_schema").fetchall()
    tables = {name: sql for kind, name, _, sql in schema if kind == "table"}
    indexed = any(kind == "index" and table.lower() in DOCUMENT_TABLES for kind, _, table, _ in schema)
    triggers = any("trigger" in (sql or "").lower() for _, _, _, sql in schema)
    exact = all(tables.get(name) == sql for name, sql in DOCUMENT_TABLES.items())
    return exact and not indexed and not triggers


def settle_database(path):
    """Documents are kept in WAL mode, so that backups read while users write. Others stay as they are."""
    documents = holds_documents(path)
    if documents:
        with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as db:
            db.execute("PRAGMA journal_mode=WAL")
    sync_file(path)
    return documents


def clean_system_db(source, target, version):
    """Copies the rows that count into a system.db of our own; the file from outside is not used itself."""
    try:
        with contextlib.closing(open_foreign(source)) as old:
            old.text_factory = str
            copy_system_rows(old, target, version)
    except (sqlite3.Error, UnicodeError, OverflowError) as error:
        raise_memory(error)
        raise Problem("wrong-content", f"system.db has other content than a system.db: {error}.")


def copy_system_rows(old, target, version):
    tables = dict(old.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'table'"))
    tables = {name: sql for name, sql in tables.items() if not name.lower().startswith("sqlite_")}
    expected = {*SYSTEM_TABLES, "schema_version", "sessions", "backups"}
    if set(tables) != expected or any(map(is_virtual, tables.values())):
        raise Problem("wrong-content", "system.db has other tables than a system.db.")
    rows = {}
    for table, columns in {**SYSTEM_TABLES, "schema_version": ["version"]}.items():
        found = old.execute("SELECT name, hidden FROM pragma_table_xinfo(?)", (table,)).fetchall()
        if sorted(found) != sorted((column, 0) for column in columns):
            raise Problem("wrong-content", f"The table {table} of system.db has other columns.")
        rows[table] = old.execute(f"SELECT {', '.join(columns)} FROM {table} LIMIT 200001").fetchall()
        if len(rows[table]) > 200000:
            raise Problem("wrong-content", f"The table {table} of system.db has more than 200,000 rows.")
        tick()
    if rows.pop("schema_version") != [(version,)] or version not in (1, 2):
        raise Problem("wrong-content", "system.db has another schema version than its backup says.")
    check_system_rows(rows)
    write_system_db(target, version, rows)


def check_system_rows(rows):
    try:
        settings = {name: json.loads(value) for name, value in rows["settings"]}
        if len(rows["settings"]) != 3:
            wrong("settings", "has to have three rows")
        for table, field in (("licences", "licences"), ("sub_licences", "subLicences")):
            settings[field] = [dict(zip(SYSTEM_TABLES[table][1:], row[1:])) for row in sorted(rows[table])]
        record(**SETTINGS)(settings)
        for user in rows["users"]:
            one_of("owner", "delegate", "user")(user[2], "role")
    except (Problem, ValueError, TypeError, RecursionError) as error:
        raise Problem("wrong-content", f"system.db has settings that no room has: {error}")


def write_system_db(path, version, rows):
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("PRAGMA synchronous=OFF")
        db.execute("BEGIN")
        for statement in SYSTEM_SQL[:None if version > 1 else -2]:
            db.execute(statement)
        db.execute("INSERT INTO schema_version VALUES (?)", (version,))
        for table, columns in SYSTEM_TABLES.items():
            db.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' * len(columns))})", rows[table])
        db.execute("COMMIT")


# A backup (.zip)

def check_directory(path):
    """Looks at the end of the archive before zipfile reads the whole directory into memory."""
    with open(path, "rb") as file:
        end = zipfile._EndRecData(file)
    if not end:
        raise Problem("damaged-file", "The backup is not a .zip.")
    if end[4] > 10100 or end[5] > 10100 * (46 + 4096):
        raise Problem("wrong-content", "The backup has more than 10,100 entries.")


def is_left_out(parts):
    """What computers of people add to archives."""
    return parts[0] == "__MACOSX" or parts[-1] in (".DS_Store", "desktop.ini") or (
        parts[-1] == "Thumbs.db" and parts[-2:-1] != ["databases"])


def check_entry(info):
    name = info.orig_filename
    if "\\" in name or "\0" in name or re.match(r"/|[A-Za-z]:", name) or ".." in name.split("/"):
        raise Problem("damaged-file", f"The backup has an entry with a name that leads elsewhere: {name[:100]}")
    fault = None
    if info.flag_bits & 0x2041:
        fault = "is encrypted"
    elif info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        fault = "is packed with a method other than 0 and 8"
    elif stat.S_IFMT(info.external_attr >> 16) not in (0, stat.S_IFREG, stat.S_IFDIR):
        fault = "is a link or a device"
    elif len(name.encode("utf-8", "replace")) + len(info.extra) + len(info.comment) > 4096:
        fault = "has too long a name, comment or extra fields"
    elif info.file_size > 1000 * info.compress_size:
        fault = "unpacks to more than a thousandfold"
    if fault:
        raise Problem("wrong-content", f"The entry {name[:100]} of the backup {fault}.")


def entry_name(info):
    """Names are UTF-8; some archivers, such as that of macOS, do not say so."""
    name = info.orig_filename
    if not info.flag_bits & 0x800:
        with contextlib.suppress(UnicodeError):
            name = name.encode("cp437").decode("utf-8")
    return unicodedata.normalize("NFC", name)


def backup_entries(archive, size):
    """The files of a backup by name, without the folder that may be around all of them."""
    infos = archive.infolist()
    if len(infos) > 10100:
        raise Problem("wrong-content", "The backup has more than 10,100 entries.")
    files, seen = {}, set()
    for info in infos:
        check_entry(info)
        if info.orig_filename in seen:
            raise Problem("wrong-content", f"The backup has the entry {info.orig_filename[:100]} twice.")
        seen.add(info.orig_filename)
        name = entry_name(info)
        if not name.endswith("/") and not is_left_out(name.split("/")):
            if name in files:
                raise Problem("wrong-content", f"The backup has the entry {name[:100]} twice.")
            files[name] = info
    if sum(info.compress_size for info in infos) > size:
        raise Problem("wrong-content", "The entries of the backup overlap.")
    if "manifest.json" not in files:
        around = {name.split("/")[0] for name in files}
        prefix = around.pop() + "/" if len(around) == 1 else ""
        files = {name.removeprefix(prefix): info for name, info in files.items()}
    if "manifest.json" not in files:
        raise Problem("wrong-content", "The backup has no manifest.json.")
    return files


def read_manifest(archive, files):
    info = files.pop("manifest.json")
    if info.file_size > 8 * MIB:
        raise Problem("wrong-content", "The manifest has more than 8 MiB.")
    raw = archive.read(info)
    try:
        manifest = MANIFEST(json.loads(raw.decode("utf-8"), parse_constant=lambda name: int("no number")))
    except (Problem, ValueError, RecursionError) as error:
        raise Problem("wrong-content", f"The manifest cannot be read: {error}")
    paths = [entry["path"] for entry in manifest["files"]]
    if len(set(paths)) != len(paths) or set(paths) != set(files):
        raise Problem("wrong-content", "The manifest does not list each file of the backup once, and no other.")
    if ("system.db" in paths) != (manifest["kind"] == "room"):
        raise Problem("wrong-content", "The backup has system.db, or lacks it, against its kind.")
    return manifest


def database_of(path):
    found = re.fullmatch(r"databases/([^/]+)\.db", path, re.DOTALL)
    try:
        if found and database_name(found[1], "") == found[1]:
            return found[1]
    except Problem:
        pass
    raise Problem("wrong-content", f"The manifest has a path that no backup has: {path[:100]}")


def unpack(archive, info, listed, target):
    digest, size = hashlib.sha256(), 0
    with archive.open(info) as source, open(target, "wb") as file:
        while block := source.read(MIB):
            size += len(block)
            digest.update(block)
            need_space(os.path.dirname(target), len(block))
            file.write(block)
            if size > listed["size"]:
                break
            tick()
    if size != listed["size"] or digest.hexdigest() != listed["sha256"]:
        raise Problem("damaged-file", f"{listed['path']} does not have the size and SHA-256 of the manifest.")


def open_backup(task):
    """Unpacks and checks a backup into a folder. Nothing of it is used before all of it is in order."""
    check_directory(task["archive"])
    with zipfile.ZipFile(task["archive"]) as archive:
        files = backup_entries(archive, os.path.getsize(task["archive"]))
        manifest = read_manifest(archive, files)
        names = {entry["path"]: database_of(entry["path"]) for entry in manifest["files"]
                 if entry["path"] != "system.db"}
        if len(set(map(fold, names.values()))) != len(names):
            raise Problem("wrong-content", "The backup has two databases whose names differ in case only.")
        if task.get("product") not in (None, manifest["product"]):
            raise Problem("product-differs", f"The backup is of the product {manifest['product']}.")
        if manifest["kind"] == "room" and manifest["schemaVersion"] > SCHEMA_VERSION:
            raise Problem("schema-too-new", "The backup has a newer schema version than this region knows.")
        made = []
        for number, listed in enumerate(manifest["files"]):
            target = os.path.join(task["folder"], f"{number}.db")
            unpack(archive, files[listed["path"]], listed, target)
            made.append((names.get(listed["path"]), listed["path"], target))
    rebuilt = [name or path for name, path, target in made if check_database(target, path, task["indexes"])]
    answer = {"manifest": manifest, "rebuilt": rebuilt, "databases": []}
    for name, path, target in made:
        if name is None:
            answer["system"] = os.path.join(task["folder"], "system.db")
            clean_system_db(target, answer["system"], manifest["schemaVersion"])
        else:
            answer["databases"].append([name, target, holds_documents(target)])
    if task.get("digest"):
        parts = {"system": answer.get("system"), "databases": [entry[:2] for entry in answer["databases"]]}
        answer["digest"] = take_digest({**parts, "bare": manifest["kind"] == "product"})
    for _, target, _ in answer["databases"]:
        settle_database(target)
    return answer


# An export (.adb)

EXPORT_MAGIC = b"RKADB\x01"
CHUNK = 256 * 1024


class Gcm:
    """AES-256-GCM of libcrypto, for the numbered chunks of one export."""
    lib = ctypes.CDLL("libcrypto.so.3")
    lib.EVP_CIPHER_CTX_new.restype = lib.EVP_aes_256_gcm.restype = ctypes.c_void_p

    def __init__(self, key, header):
        self.key, self.header, self.number = key, header, 0

    def chunk(self, data, last, tag=None):
        """Encrypts, or decrypts if there is a tag: the text and its tag, or None if the tag is not right."""
        nonce = self.number.to_bytes(11, "big") + bytes([last])
        self.number += 1
        lib, encrypt = self.lib, tag is None
        context = ctypes.c_void_p(lib.EVP_CIPHER_CTX_new())
        out, length = ctypes.create_string_buffer(len(data) + 16), ctypes.c_int()
        try:
            cipher = ctypes.c_void_p(lib.EVP_aes_256_gcm())
            fine = lib.EVP_CipherInit_ex(context, cipher, None, self.key, nonce, int(encrypt)) == 1
            fine &= lib.EVP_CipherUpdate(context, None, ctypes.byref(length), self.header, len(self.header)) == 1
            if data:
                fine &= lib.EVP_CipherUpdate(context, out, ctypes.byref(length), data, len(data)) == 1
            if not encrypt:  # 0x11: the tag that is expected
                fine &= lib.EVP_CIPHER_CTX_ctrl(context, 0x11, 16, ctypes.c_char_p(tag)) == 1
            rest = ctypes.create_string_buffer(16)
            fine &= lib.EVP_CipherFinal_ex(context, rest, ctypes.byref(length)) == 1
            made = ctypes.create_string_buffer(16)
            if encrypt:  # 0x10: the tag that was made
                fine &= lib.EVP_CIPHER_CTX_ctrl(context, 0x10, 16, made) == 1
            return (out.raw[:len(data)], made.raw) if fine else None
        finally:
            lib.EVP_CIPHER_CTX_free(context)


def export_key(password, salt, cost):
    password = unicodedata.normalize("NFC", password).encode("utf-8")
    made = hashlib.scrypt(password, salt=salt, n=2 ** cost[0], r=cost[1], p=cost[2], maxmem=256 * MIB, dklen=48)
    return made[:32], made[32:]


def write_export(source, target, password, pace):
    salt, cost = os.urandom(16), bytes([17, 8, 1])
    key, check = export_key(password, salt, cost)
    header = EXPORT_MAGIC + cost + salt + check
    header += hashlib.sha256(header).digest()
    gcm, packer, waiting = Gcm(key, header), zlib.compressobj(6, wbits=31), bytearray()
    with open(source, "rb") as plain, open(target, "xb") as file:
        file.write(header)

        def write_chunk(size, last):
            data, tag = gcm.chunk(bytes(waiting[:size]), last)
            file.write((size | last << 31).to_bytes(4, "big") + data + tag)
            del waiting[:size]

        while block := plain.read(MIB):
            pace()
            waiting += packer.compress(block)
            while len(waiting) > CHUNK:  # more than one, so that the last is never empty
                write_chunk(CHUNK, False)
        waiting += packer.flush()
        while len(waiting) > CHUNK:
            write_chunk(CHUNK, False)
        write_chunk(len(waiting), True)


def export_chunks(file, password):
    """The decrypted chunks; ends after the last, behind which nothing may follow."""
    def damaged(what):
        return Problem("damaged-file", f"The export is not whole: {what}.")

    header = file.read(73)
    if header[:6] != EXPORT_MAGIC:
        raise Problem("wrong-content", "The file is no export of a database.")
    if len(header) < 73 or hashlib.sha256(header[:41]).digest() != header[41:]:
        raise damaged("its header is not right")
    cost = header[6:9]
    if not (10 <= cost[0] <= 17 and 1 <= cost[1] <= 8 and cost[2] == 1):
        raise damaged("it asks for another cost of scrypt than is allowed")
    key, check = export_key(password, header[9:25], cost)
    if not hmac.compare_digest(check, header[25:41]):
        raise Problem("wrong-password", "The password does not open the export.")
    gcm, last = Gcm(key, header), False
    while not last:
        size = int.from_bytes(file.read(4).rjust(4, b"\x7f"), "big")
        last, size = bool(size >> 31), size & 0x7FFFFFFF
        if size > CHUNK:
            raise damaged("a chunk is too long, or its end is missing")
        data, tag = file.read(size), file.read(16)
        opened = gcm.chunk(data, last, tag) if len(data) == size and len(tag) == 16 else None
        if opened is None:
            raise damaged("a chunk was altered or cut off")
        yield opened[0]
    if file.read(1):
        raise damaged("something follows its last chunk")


def database_size(head):
    """How large the database says it is, if it says so."""
    pages = int.from_bytes(head[28:32], "big")
    if head[:16] != SQLITE_MAGIC or len(head) < 100 or not pages or head[24:28] != head[92:96]:
        return None
    page = int.from_bytes(head[16:18], "big")
    return pages * (65536 if page == 1 else page)


def open_export(task):
    unpacker, size, head, packed = zlib.decompressobj(wbits=31), 0, b"", os.path.getsize(task["archive"])
    most = max(64 * MIB, 1000 * packed)
    with open(task["archive"], "rb") as file, open(task["target"], "wb") as out:
        for chunk in export_chunks(file, task["password"]):
            while chunk:
                block = unpacker.decompress(chunk, MIB)
                chunk = unpacker.unconsumed_tail
                if unpacker.unused_data:
                    raise Problem("damaged-file", "The export has more than its gzip stream.")
                if len(head) < 100:
                    head += block[:100 - len(head)]
                    most = min(most, database_size(head) or most)
                size += len(block)
                out.write(block)
                if size > most:
                    raise Problem("wrong-content", "The export unpacks to more than it may have.")
                tick()
    if not unpacker.eof:
        raise Problem("damaged-file", "The gzip stream of the export is not whole.")
    rebuilt = check_database(task["target"], "The database of the export")
    answer = {"documents": holds_documents(task["target"]), "rebuilt": rebuilt}
    settle_database(task["target"])
    return answer


# The child itself

CHILD_TASKS = {"backup": open_backup, "export": open_export, "digest": take_digest}


def limit_child():
    """It dies with the region, before others when memory runs out, and without more memory than it needs."""
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)
    with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w") as file:
        file.write("1000")
    resource.setrlimit(resource.RLIMIT_AS, (3 * 1024 * MIB, 3 * 1024 * MIB))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with contextlib.closing(sqlite3.connect(":memory:")) as db:
        db.execute(f"PRAGMA hard_heap_limit={1024 * MIB}")  # of the whole process


def child_main():
    limit_child()
    task = json.loads(sys.stdin.buffer.read())
    try:
        tick(result=CHILD_TASKS[task["task"]](task))
    except Problem as problem:
        tick(problem=[problem.code, problem.detail])
    except MemoryError:
        tick(problem=["takes-too-much", "The content takes too much memory to be checked."])
    except OSError as error:
        tick(problem=["storage-full" if is_full(error) else "reading-fails", f"{error.strerror}."])
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError) as error:
        tick(problem=["damaged-file", f"The file cannot be unpacked: {error}"])


# ---- The store: region.db, the files that its rows name, and what is one change ----

STORE_SQL = """
CREATE TABLE IF NOT EXISTS instance (id TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS rooms (
  name TEXT PRIMARY KEY, roomId TEXT NOT NULL, product TEXT NOT NULL, edition TEXT NOT NULL, state TEXT NOT NULL,
  content INTEGER NOT NULL, creation TEXT NOT NULL, record TEXT, holder TEXT, heldSince REAL, lockEnds REAL);
CREATE TABLE IF NOT EXISTS contents (id INTEGER PRIMARY KEY AUTOINCREMENT, version INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS settings (content INTEGER, name TEXT, value TEXT NOT NULL,
  PRIMARY KEY (content, name));
CREATE TABLE IF NOT EXISTS licences (content INTEGER, position INTEGER, licenseKey TEXT NOT NULL,
  licenseAmount INTEGER NOT NULL, licenseType TEXT NOT NULL, PRIMARY KEY (content, position));
CREATE TABLE IF NOT EXISTS sub_licences (content INTEGER, position INTEGER, licenseKey TEXT NOT NULL,
  subLicenseAmount INTEGER NOT NULL, productKey TEXT NOT NULL, PRIMARY KEY (content, position));
CREATE TABLE IF NOT EXISTS users (content INTEGER, id TEXT, email TEXT NOT NULL COLLATE NOCASE,
  role TEXT NOT NULL, licenseKey TEXT, createdAt TEXT NOT NULL,
  PRIMARY KEY (content, id), UNIQUE (content, email));
CREATE INDEX IF NOT EXISTS users_by_id ON users (id);
CREATE TABLE IF NOT EXISTS sessions (id TEXT PRIMARY KEY, content INTEGER NOT NULL, userId TEXT NOT NULL,
  tokenHash TEXT NOT NULL UNIQUE, startedAt REAL NOT NULL, lastActiveAt REAL NOT NULL);
CREATE INDEX IF NOT EXISTS sessions_by_user ON sessions (content, userId);
CREATE TABLE IF NOT EXISTS databases (content INTEGER, name TEXT, file TEXT NOT NULL, documents INTEGER NOT NULL,
  createdAt TEXT NOT NULL, backupAt TEXT, addedBy TEXT, PRIMARY KEY (content, name));
CREATE TABLE IF NOT EXISTS kept (roomId TEXT, keep TEXT, content INTEGER, state TEXT NOT NULL, at REAL NOT NULL,
  PRIMARY KEY (roomId, keep));
CREATE TABLE IF NOT EXISTS routes (name TEXT PRIMARY KEY, targetUrl TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS fences (operation TEXT PRIMARY KEY, fence INTEGER NOT NULL, raisedAt REAL NOT NULL);
CREATE TABLE IF NOT EXISTS jobs (id TEXT PRIMARY KEY, type TEXT NOT NULL, room TEXT NOT NULL, roomId TEXT,
  input TEXT NOT NULL, state TEXT NOT NULL, progress REAL NOT NULL, result TEXT, error TEXT, endedAt REAL);
CREATE INDEX IF NOT EXISTS jobs_by_room ON jobs (roomId);
CREATE TABLE IF NOT EXISTS lines (job TEXT, n INTEGER, at TEXT NOT NULL, level TEXT NOT NULL, text TEXT NOT NULL,
  PRIMARY KEY (job, n));
CREATE TABLE IF NOT EXISTS job_files (job TEXT, file TEXT, PRIMARY KEY (job, file));
CREATE TABLE IF NOT EXISTS files (id TEXT PRIMARY KEY, file TEXT NOT NULL, size INTEGER NOT NULL,
  sha256 TEXT NOT NULL, received INTEGER NOT NULL, complete INTEGER NOT NULL, usedAt REAL NOT NULL);
CREATE TABLE IF NOT EXISTS departed (userId TEXT, roomId TEXT, PRIMARY KEY (userId, roomId));
"""
CONTENT_TABLES = ["settings", "licences", "sub_licences", "users", "sessions", "databases"]


class Store:
    def __init__(self, folder):
        self.folder = os.path.abspath(folder)
        self.data, self.work = os.path.join(self.folder, "data"), os.path.join(self.folder, "work")
        self.spare = os.path.join(self.folder, "reserve")
        for path in (self.folder, self.data):
            os.makedirs(path, exist_ok=True)
        self.owner = open(os.path.join(self.folder, "lock"), "w")
        try:
            fcntl.flock(self.owner, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            sys.exit("REGION_DATA_DIR is used by another region.")
        shutil.rmtree(self.work, ignore_errors=True)
        os.makedirs(self.work)
        self.lock = threading.RLock()
        self.made, self.doomed = [], []  # files that come and go with the change that is under way
        self.db = sqlite3.connect(os.path.join(self.folder, "region.db"), isolation_level=None,
                                  check_same_thread=False)
        self.db.row_factory = sqlite3.Row
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "secure_delete=ON"):
            self.db.execute("PRAGMA " + pragma)
        self.db.executescript(STORE_SQL)
        self.settle()

    def settle(self):
        """After a start: unfinished jobs were interrupted, and files that no row names are of no change."""
        error = Problem("interrupted", "The region was ended while the job was queued or running.").body()
        with self.change() as db:
            if not db.execute("SELECT 1 FROM instance").fetchone():
                if os.listdir(self.data):
                    sys.exit("region.db of REGION_DATA_DIR is missing, but files of rooms are there.")
                db.execute("INSERT INTO instance VALUES (?)", (str(uuid.uuid4()),))
            db.execute("UPDATE jobs SET state = 'interrupted', error = ?, endedAt = ? "
                       "WHERE state IN ('queued', 'running')", (json.dumps(error), time.time()))
        known = {row[0] for row in self.all("SELECT file FROM databases UNION SELECT file FROM files")}
        for name in os.listdir(self.data):
            if re.sub("-(wal|shm|journal)$", "", name) not in known:
                os.unlink(os.path.join(self.data, name))
        self.keep_reserve()
        sync_folder(self.folder)

    def all(self, sql, *values):
        with self.lock:
            return self.db.execute(sql, values).fetchall()

    def one(self, sql, *values):
        with self.lock:
            return self.db.execute(sql, values).fetchone()

    def file_row(self, file_id):
        return self.one("SELECT * FROM files WHERE id = ?", file_id)

    @contextlib.contextmanager
    def change(self, fence=None, grows=0, frees=False):
        """One transaction, under the fence of its call. Files it made go if it fails, doomed ones if not."""
        with self.lock:
            if frees and os.path.exists(self.spare) and self.free_bytes() < 2 * MIB:
                os.unlink(self.spare)  # so that there is room for the record of a deletion
            self.made, self.doomed = [], []
            try:
                self.db.execute("BEGIN IMMEDIATE")
                self.raise_fence(fence)
                if grows:
                    self.need_space(grows)
                yield self.db
                self.db.execute("COMMIT")
                gone = self.doomed
            except BaseException as error:
                if self.db.in_transaction:
                    self.db.execute("ROLLBACK")
                for path in self.made:
                    remove_file(path)
                if fence and isinstance(error, Problem) and error.code != "overtaken":
                    self.raise_fence(fence)  # it counts also when its call is refused
                raise
        for path in gone:
            with contextlib.suppress(OSError):
                remove_file(path)

    def raise_fence(self, fence):
        if fence:
            operation, number = fence
            known = self.db.execute("SELECT fence FROM fences WHERE operation = ?", (operation,)).fetchone()
            if known and known["fence"] > number:
                raise Problem("overtaken", "A newer worker has taken this operation over.")
            self.db.execute("REPLACE INTO fences VALUES (?, ?, ?)", (operation, number, time.time()))

    def free_bytes(self):
        disk = os.statvfs(self.folder)
        return disk.f_bavail * disk.f_frsize

    def need_space(self, size):
        need_space(self.folder, size)
        self.keep_reserve()
        if not os.path.exists(self.spare):
            raise Problem("storage-full", "There is no space left on this region.")

    def keep_reserve(self):
        if not os.path.exists(self.spare) and self.free_bytes() > 16 * MIB:
            with open(self.spare, "wb") as file:
                os.posix_fallocate(file.fileno(), 0, 4 * MIB)

    def path(self, name):
        return os.path.join(self.data, name)

    def new_name(self, ending=""):
        return uuid.uuid4().hex + ending

    def adopt(self, path):
        """Takes a file of a job among those that rows name; it goes again if the change under way fails."""
        name = self.new_name()
        self.made.append(self.path(name))
        os.rename(path, self.path(name))
        sync_file(self.path(name))
        return name

    def doom(self, name):
        self.doomed.append(self.path(name))

    def drop_content(self, content):
        for row in self.db.execute("SELECT file FROM databases WHERE content = ?", (content,)).fetchall():
            self.doom(row["file"])
        for table in CONTENT_TABLES:
            self.db.execute(f"DELETE FROM {table} WHERE content = ?", (content,))
        self.db.execute("DELETE FROM contents WHERE id = ?", (content,))

    def new_content(self, version, rows):
        """Rows of a system.db as new content, of which no room knows yet."""
        content = self.db.execute("INSERT INTO contents (version) VALUES (?)", (version,)).lastrowid
        for table, columns in SYSTEM_TABLES.items():
            marks = ", ".join("?" * (len(columns) + 1))
            values = ((content, *row) for row in rows[table])
            self.db.executemany(f"INSERT INTO {table} VALUES ({marks})", values)
        return content

    def system_rows(self, content):
        return {table: [tuple(row) for row in self.db.execute(
            f"SELECT {', '.join(columns)} FROM {table} WHERE content = ?", (content,))]
            for table, columns in SYSTEM_TABLES.items()}

    def add_database(self, content, name, path, documents, added_by=None):
        self.db.execute("INSERT INTO databases VALUES (?, ?, ?, ?, ?, NULL, ?)",
                        (content, name, self.adopt(path), documents, now_text(), added_by))


# ---- Rooms ----

def compact(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def new_documents(path):
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("PRAGMA journal_mode=WAL")
        db.execute("BEGIN")
        for statement in DOCUMENT_TABLES.values():
            db.execute(statement)
        times = [("createdAt", now_text()), ("changedAt", now_text())]
        db.executemany("INSERT INTO about VALUES (?, ?)", times)
        db.execute("COMMIT")
    sync_file(path)


def open_documents(path):
    db = sqlite3.connect(f"file:{urllib.parse.quote(path)}?mode=rw", uri=True, isolation_level=None, timeout=10)
    db.text_factory = lambda raw: raw.decode("utf-8", "replace")
    db.execute("PRAGMA trusted_schema=OFF")
    db.execute("PRAGMA synchronous=FULL")
    return db


def find_lock(room):
    """The lock that counts now. A clock that was set back makes none last."""
    if room["holder"] is None or not time.time() < room["lockEnds"] <= time.time() + 120:
        return None
    return {"holder": room["holder"], "heldSince": now_text(room["heldSince"]),
            "expiresAt": now_text(room["lockEnds"])}


def is_over(expiration):
    return expiration is not None and now_text()[:10] > expiration


class Rooms:
    """What region.db holds of rooms. Methods with `db` run within a change."""

    def __init__(self, store):
        self.store, self.damaged, self.locks = store, {}, {}
        for row in store.all("SELECT name FROM rooms"):
            with contextlib.suppress(Problem):
                self.find(row["name"])

    def lock_of(self, name):
        """Held by each write of a user, and by what may not overlap with one. Taken before the store's lock."""
        return self.locks.setdefault(name, threading.RLock())

    def find(self, name, room_id=None):
        room = self.store.one("SELECT * FROM rooms WHERE name = ?", name)
        if room is None:
            self.damaged.pop(name, None)
            raise RoomUnknown(name)
        self.check_files(room)
        if room_id not in (None, room["roomId"]):
            raise Problem("room-differs", f"The project room {name} of this region is another one.")
        return room

    def check_files(self, room):
        """A room whose databases cannot be read is there, but cannot be used until they are put back."""
        for row in self.databases(room):
            try:
                path = self.store.path(row["file"])
                if row["documents"] and os.path.getsize(path) >= 512:
                    continue  # not opened here: closing it would end SQLite's own locks
                with open(path, "rb") as file:
                    if file.read(16) == SQLITE_MAGIC:
                        continue
            except FileNotFoundError:
                pass
            reason = f"its database {row['name']} cannot be read"
            self.damaged[room["name"]] = reason
            raise Problem("room-damaged", f"The project room {room['name']} cannot be used: {reason}.")
        self.damaged.pop(room["name"], None)

    def databases(self, room):
        return self.store.all("SELECT * FROM databases WHERE content = ? ORDER BY name", room["content"])

    def database(self, room, name):
        wanted = fold(name)
        return next((row for row in self.databases(room) if fold(row["name"]) == wanted), None)

    def check_writable(self, room, holder):
        lock = find_lock(room)
        if lock and lock["holder"] != holder:
            raise Problem("room-locked", f"The project room {room['name']} is locked by {lock['holder']}.")

    def setting(self, content, name):
        return json.loads(self.store.one("SELECT value FROM settings WHERE content = ? AND name = ?",
                                         content, name)["value"])

    def settings(self, content):
        made = {}
        for field, table in (("licences", "licences"), ("subLicences", "sub_licences")):
            columns = ", ".join(SYSTEM_TABLES[table][1:])
            rows = self.store.all(f"SELECT {columns} FROM {table} WHERE content = ? ORDER BY position", content)
            made[field] = [dict(row) for row in rows]
        for name in ("subMiningType", "expirationDate", "contacts"):
            made[name] = self.setting(content, name)
        return made

    def size(self, room):
        users = self.store.one("SELECT count(*) FROM users WHERE content = ?", room["content"])[0]
        sizes = [os.path.getsize(self.store.path(row["file"])) for row in self.databases(room)]
        return sum(sizes) + 65536 + 300 * users  # system.db, as it would be in a backup

    def info(self, room):
        settings, lock = self.settings(room["content"]), find_lock(room)
        version = self.store.one("SELECT version FROM contents WHERE id = ?", room["content"])["version"]
        return {"name": room["name"], "roomId": room["roomId"], "product": room["product"],
                "edition": room["edition"], "state": room["state"], "locked": lock is not None, "lock": lock,
                "size": self.size(room), "schemaVersion": version, "expirationDate": settings["expirationDate"],
                "databases": [row["name"] for row in self.databases(room)], "settings": settings}

    def create(self, db, name, body, path):
        rows = {table: [] for table in SYSTEM_TABLES}
        content = self.store.new_content(SCHEMA_VERSION, rows)
        self.store.add_database(content, "main", path, True)
        db.execute("INSERT INTO rooms (name, roomId, product, edition, state, content, creation) "
                   "VALUES (?, ?, ?, ?, ?, ?, ?)", (name, body["roomId"], body["product"], body["edition"],
                                                    body["state"], content, fingerprint(body)))
        if "lockHolder" in body:
            self.take_lock(db, self.find(name), body["lockHolder"])
        self.change_settings(db, content, body)

    def take_lock(self, db, room, holder):
        lock, now = find_lock(room), time.time()
        if lock and lock["holder"] != holder:
            raise Problem("locked-by-another", f"The project room is locked by {lock['holder']}.")
        since = room["heldSince"] if lock else now
        db.execute("UPDATE rooms SET holder = ?, heldSince = ?, lockEnds = ? WHERE name = ?",
                   (holder, since, now + 60, room["name"]))

    def change_settings(self, db, content, settings):
        for name in ("subMiningType", "expirationDate", "contacts"):
            if name in settings:
                db.execute("REPLACE INTO settings VALUES (?, ?, ?)", (content, name, compact(settings[name])))
        for field, table in (("licences", "licences"), ("subLicences", "sub_licences")):
            if field in settings:
                db.execute(f"DELETE FROM {table} WHERE content = ?", (content,))
                db.executemany(f"INSERT INTO {table} VALUES (?, ?, ?, ?, ?)", (
                    (content, number, *entry.values()) for number, entry in enumerate(settings[field])))
        self.appoint(db, content)

    def appoint(self, db, content):
        """Makes the two of the contacts owner and delegate; those before them stay as plain users."""
        contacts = self.setting(content, "contacts")
        owner, delegate = contacts["ownerEmail"].strip(), (contacts["delegateEmail"] or "").strip()
        db.execute("UPDATE users SET role = 'user' WHERE content = ? AND role != 'user'", (content,))
        appointed = []
        for role, email in (("owner", owner), ("delegate", delegate)):
            user = db.execute("SELECT id FROM users WHERE content = ? AND email = ?",
                              (content, email)).fetchone()
            if not email or (user and user["id"] in appointed):
                continue
            user_id = user["id"] if user else str(uuid.uuid4())
            if not user:
                db.execute("INSERT INTO users VALUES (?, ?, ?, ?, NULL, ?)",
                           (content, user_id, email, role, now_text()))
            db.execute("UPDATE users SET role = ? WHERE content = ? AND id = ?", (role, content, user_id))
            appointed.append(user_id)
        for user_id in appointed:
            self.give_licence(db, content, user_id)

    def give_licence(self, db, content, user_id):
        """One that is free, or else that of the newest plain user; nobody is refused if there is none."""
        keys = "(" + ", ".join(f"'{key}'" for key in EVERYTHING_LICENCES) + ")"
        user = self.store.one("SELECT licenseKey FROM users WHERE content = ? AND id = ?", content, user_id)
        if user["licenseKey"] in EVERYTHING_LICENCES:
            return
        found = db.execute(
            f"SELECT licenseKey FROM licences AS l WHERE content = ? AND licenseKey IN {keys} "
            "AND licenseAmount > (SELECT count(*) FROM users AS u WHERE u.content = l.content "
            "AND u.licenseKey = l.licenseKey) ORDER BY position LIMIT 1", (content,)).fetchone()
        if not found:
            found = db.execute(
                f"SELECT id, licenseKey FROM users WHERE content = ? AND role = 'user' AND licenseKey IN {keys} "
                "ORDER BY createdAt DESC, id DESC LIMIT 1", (content,)).fetchone()
            if not found:
                return
            db.execute("UPDATE users SET licenseKey = NULL WHERE content = ? AND id = ?", (content, found["id"]))
        db.execute("UPDATE users SET licenseKey = ? WHERE content = ? AND id = ?",
                   (found["licenseKey"], content, user_id))


# ---- Jobs ----

class Job:
    def __init__(self, job_id, job_type, body):
        self.id, self.type, self.input = job_id, job_type, body
        self.room, self.room_id, self.holder = body["room"], body.get("roomId"), body.get("holder")
        self.running, self.cancelled, self.ended = False, False, threading.Event()
        self.progress, self.folder, self.abort = 0, None, lambda: None
        self.frees = job_type in ("deleteRoom", "deleteDatabase", "putBackRoom", "purgeRoom")

    def check(self):
        if self.cancelled:
            raise Problem("cancelled", "The job was cancelled.")

    def cancel(self):
        self.cancelled = True
        with contextlib.suppress(Exception):
            self.abort()


class Jobs:
    """Runs jobs: those of one room one after another, in the order in which they were asked for."""
    AT_ONCE = 4
    FORGOTTEN_AFTER = 31 * 24 * HOUR

    def __init__(self, store, rooms, settings):
        self.store, self.rooms, self.settings = store, rooms, settings
        self.live, self.waiting, self.lock, self.closing = {}, [], threading.RLock(), False
        self.work = JobWork(self)

    def start(self, job_id, job_type, body, fence):
        """Starts the job, or finds the one of this id. What can be known now is refused now."""
        with self.lock:
            return self.start_alone(Job(job_id, job_type, body), fingerprint({"type": job_type, **body}), fence)

    def start_alone(self, job, mark, fence):
        job_id, body = job.id, job.input
        with self.store.change(fence, frees=job.frees) as db:
            known = db.execute("SELECT input FROM jobs WHERE id = ?", (job_id,)).fetchone()
            if known and known["input"] != mark:
                raise Problem("job-differs", f"The id {job_id} belongs to a job with another input.")
            if not known:
                self.refuse_early(job)
                db.execute("INSERT INTO jobs VALUES (?, ?, ?, ?, ?, 'queued', 0, NULL, NULL, NULL)",
                           (job_id, job.type, job.room, job.room_id, mark))
                sources = [body.get("file"), (body.get("from") or {}).get("file")]
                db.executemany("INSERT INTO job_files VALUES (?, ?)", [(job_id, f) for f in sources if f])
        if not known:
            self.live[job_id] = job
            self.waiting.append(job)
            self.dispatch()
        return not known

    def refuse_early(self, job):
        if self.closing:
            raise Problem("interrupted", "The region is stopping.")
        if job.type == "updateSystemDatabase":
            given, right = job.input["systemPassword"].encode(), self.settings["system_password"].encode()
            if not hmac.compare_digest(hashlib.sha256(given).digest(), hashlib.sha256(right).digest()):
                raise Problem("wrong-system-password", "The system password is not that of this region.")
        if job.type in ("purgeRoom", "verifyBackup"):
            return
        try:
            room = self.rooms.find(job.room, job.room_id)
        except RoomUnknown:
            if job.type == "deleteRoom":
                return
            raise
        if job.type in CHANGING_JOBS:
            self.rooms.check_writable(room, job.holder)

    def dispatch(self):
        with self.lock:
            busy = {job.room for job in self.live.values() if job.running and job.type != "verifyBackup"}
            count = sum(job.running for job in self.live.values())
            for job in list(self.waiting):
                free = job.type == "verifyBackup" or job.room not in busy
                if free and count < self.AT_ONCE:
                    self.waiting.remove(job)
                    job.running, count = True, count + 1
                    threading.Thread(target=self.run, args=(job,), daemon=True).start()
                if job.type != "verifyBackup":
                    busy.add(job.room)  # those behind wait, too

    def run(self, job):
        try:
            job.check()
            with self.store.change(frees=job.frees) as db:
                db.execute("UPDATE jobs SET state = 'running' WHERE id = ?", (job.id,))
            job.folder = os.path.join(self.store.work, self.store.new_name())
            os.mkdir(job.folder)
            getattr(self.work, job.type)(job, job.input)
        except BaseException as error:
            self.fail(job, error)
        finally:
            if job.folder:
                shutil.rmtree(job.folder, ignore_errors=True)
            with self.lock:
                del self.live[job.id]
            job.ended.set()
            self.dispatch()

    def fail(self, job, error):
        problem = Problem("cancelled", "The job was cancelled.") if job.cancelled else as_problem(error)
        while not self.closing:  # when it closes, the next start finds the job unfinished
            try:
                with self.store.change(frees=True) as db:
                    self.write_line(db, job, problem.detail, "error")
                    db.execute("UPDATE jobs SET state = 'failed', error = ?, progress = ?, endedAt = ? "
                               "WHERE id = ? AND state != 'done'",
                               (json.dumps(problem.body()), job.progress, time.time(), job.id))
                return
            except (sqlite3.Error, OSError) as failure:  # a full disk: it has not ended before that is written
                as_problem(failure)
                time.sleep(1)

    def write_line(self, db, job, line, level="info"):
        db.execute("INSERT INTO lines SELECT ?, coalesce(max(n), 0) + 1, ?, ?, ? FROM lines WHERE job = ?",
                   (job.id, now_text(), level, line, job.id))

    def line(self, job, line, level="info"):
        job.check()
        with self.store.change(frees=job.frees) as db:
            self.write_line(db, job, line, level)

    @contextlib.contextmanager
    def finish(self, job, result, line, late=False):
        """The moment at which a job takes effect: its changes and `done` are one transaction."""
        with self.rooms.lock_of(job.room), self.store.change(frees=job.frees) as db:
            if not late:
                job.check()
            room = None
            try:
                if job.type not in ("purgeRoom", "verifyBackup"):
                    room = self.rooms.find(job.room, job.room_id)
            except RoomUnknown:
                if job.type != "deleteRoom":
                    raise
            if room and job.type in CHANGING_JOBS:
                self.rooms.check_writable(room, job.holder)
            yield db, room
            self.write_line(db, job, line)
            db.execute("UPDATE jobs SET state = 'done', progress = 1, result = ?, endedAt = ? WHERE id = ?",
                       (compact(result), time.time(), job.id))

    def cancel(self, job_id, fence):
        with self.lock, self.store.change(fence) as db:
            if not db.execute("SELECT 1 FROM jobs WHERE id = ?", (job_id,)).fetchone():
                raise Problem("job-unknown", f"There is no job {job_id} on this region.")
        job = self.live.get(job_id)
        if job:
            job.cancel()
            with self.lock:
                if job in self.waiting:
                    self.waiting.remove(job)
                    threading.Thread(target=self.run, args=(job,), daemon=True).start()
            job.ended.wait()

    def info(self, job_id, after=0, wait=0, **more):
        job = self.live.get(job_id)
        if job and wait:
            job.ended.wait(wait / 1000)
        with self.store.lock:
            row = self.store.one("SELECT * FROM jobs WHERE id = ?", job_id)
            lines = self.store.all("SELECT n, at, level, text FROM lines WHERE job = ? AND n > ? ORDER BY n "
                                   "LIMIT 100000", job_id, after)
        if row is None:
            raise Problem("job-unknown", f"There is no job {job_id} on this region.")
        progress = job.progress if job and row["state"] in ("queued", "running") else row["progress"]
        return {"id": job_id, "type": row["type"], "room": row["room"], "state": row["state"],
                "progress": progress, "lines": [dict(line) for line in lines],
                "result": json.loads(row["result"] or "null"),
                "error": json.loads(row["error"] or "null"), **more}

    def close(self):
        self.closing = True
        for job in list(self.live.values()):
            job.cancel()


CHANGING_JOBS = {"restoreRoom", "deleteRoom", "restoreDatabase", "importDatabase", "deleteDatabase",
                 "updateSystemDatabase", "restoreFromObjectStore", "replaceRoom", "putBackRoom"}


class Sink:
    """What a backup is written to: its size and SHA-256 are known at the end."""

    def __init__(self, job, file):
        self.job, self.file, self.size, self.digest = job, file, 0, hashlib.sha256()

    def write(self, block):
        self.job.check()
        self.digest.update(block)
        self.size += len(block)
        self.file.write(block)
        return len(block)

    def flush(self):
        self.file.flush()


class JobWork:
    """One method for each type of job, named like it."""

    def __init__(self, jobs):
        self.jobs, self.store, self.rooms = jobs, jobs.store, jobs.rooms

    # Children

    def child(self, job, task, size, **values):
        """Does a task in a child process, which is killed if it is silent for too long or the job cancelled."""
        job.check()
        command = [sys.executable, "-I", "-S", os.path.abspath(__file__), "--child"]
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=job.folder,
                                   env={"PATH": os.environ.get("PATH", ""), "TMPDIR": job.folder,
                                        "SQLITE_TMPDIR": job.folder})
        job.abort = process.kill
        patience = self.jobs.settings["check_seconds"] + size / MIB
        try:
            job.check()  # once more: a cancellation before this line has killed nothing
            with contextlib.suppress(BrokenPipeError), process.stdin:
                process.stdin.write(json.dumps({"task": task, **values}).encode())
            answer = self.child_answer(process, patience)
        finally:
            process.kill()
            process.stdout.close()
            code = process.wait()
            job.abort = lambda: None
        job.check()
        if answer is None:
            killed = code == -signal.SIGKILL
            raise Problem("sandbox-killed" if killed else "reading-fails",
                          "The process that read the content " + ("was killed." if killed else "crashed."))
        if "problem" in answer:
            raise Problem(*answer["problem"])
        return answer["result"]

    def child_answer(self, process, patience):
        received = bytearray()
        while True:
            if not select.select([process.stdout], [], [], patience)[0]:
                raise Problem("takes-too-long", "The check of the content made no progress and was given up.")
            block = os.read(process.stdout.fileno(), MIB)
            if not block:
                process.wait()
                return None
            received += block
            if received.endswith(b"\n"):
                lines = received.splitlines()
                answer = json.loads(lines[-1])
                if answer:
                    return answer
                received.clear()

    # Parts of jobs

    @contextlib.contextmanager
    def snapshot(self, job, with_system=True):
        """The room as it is at one moment: what is told of it, system.db and the paths of its databases."""
        begun, readers, paths = now_text(), [], []
        try:
            with self.rooms.lock_of(job.room), self.store.lock:
                room = self.rooms.find(job.room, job.room_id)
                rows, info = self.store.system_rows(room["content"]), self.rooms.info(room)
                for row in self.rooms.databases(room):
                    path = self.store.path(row["file"])
                    if row["documents"]:  # users go on writing: its state of now is copied below
                        readers.append(open_documents(path))
                        readers[-1].execute("BEGIN")
                        readers[-1].execute("SELECT count(*) FROM sqlite_schema").fetchone()
                        path = os.path.join(job.folder, self.store.new_name())
                    paths.append([row["name"], path])
            copies = [path for _, path in paths if path.startswith(job.folder)]
            for reader, path in zip(readers, copies):
                with contextlib.closing(sqlite3.connect(path)) as copy:
                    reader.backup(copy, pages=4096, progress=lambda *_: job.check())
        finally:
            for reader in readers:
                reader.close()
        system = None
        if with_system:
            system = os.path.join(job.folder, "snapshot-system.db")
            write_system_db(system, info["schemaVersion"], rows)
        yield info, begun, system, paths

    def digest_of(self, job, system, paths, bare=False):
        size = sum(os.path.getsize(path) for _, path in paths)
        return self.child(job, "digest", size, system=system, databases=paths, bare=bare)

    def are_equal(self, job, *pair):
        """Whether two databases hold the same, wherever they are."""
        return None not in pair and len({self.digest_of(job, None, [["", path]], True) for path in pair}) == 1

    def pack(self, job, sink, info, begun, system, paths, kind):
        """Writes a backup, the manifest last. It is never sought in, so that it could be sent as well."""
        members = [("system.db", system)] if kind == "room" else []
        members += [(f"databases/{name}.db", path) for name, path in paths]
        total, files = sum(os.path.getsize(path) for _, path in members) + 1, []
        with zipfile.ZipFile(sink, "w", zipfile.ZIP_STORED) as archive:
            for name, path in members:
                digest, size = hashlib.sha256(), 0
                with open(path, "rb") as source, archive.open(name, "w", force_zip64=True) as entry:
                    while block := source.read(MIB):
                        digest.update(block)
                        size += len(block)
                        entry.write(block)
                        job.progress = max(job.progress, 0.9 * sink.size / (total + sink.size / 2))
                files.append({"path": name, "size": size, "sha256": digest.hexdigest()})
            manifest = {"format": 1, "kind": kind, "createdAt": begun, "room": job.room,
                        "product": info["product"], "edition": info["edition"],
                        "schemaVersion": info["schemaVersion"], **info["settings"], "files": files}
            archive.writestr("manifest.json", json.dumps(manifest, ensure_ascii=False, indent=1))

    def note_backup(self, db, room, begun, names):
        db.executemany("UPDATE databases SET backupAt = ? WHERE content = ? AND name = ?",
                       [(begun, room["content"], name) for name in names])

    def add_file(self, db, job, path, sha256):
        """What a job made becomes a file, with the id of the job if no other file has it."""
        size, name = os.path.getsize(path), self.store.adopt(path)
        taken = db.execute("SELECT 1 FROM files WHERE id = ?", (job.id,)).fetchone()
        file_id = self.store.new_name() if taken else job.id
        values = (file_id, name, size, sha256, size, time.time())
        db.execute("INSERT INTO files VALUES (?, ?, ?, ?, ?, 1, ?)", values)
        db.execute("INSERT OR IGNORE INTO job_files VALUES (?, ?)", (job.id, file_id))
        return {"file": file_id, "size": size, "sha256": sha256}

    def file_of(self, file_id):
        row = self.store.file_row(file_id)
        if row is None:
            raise Problem("file-unknown", "There is no such file on this region.")
        if not row["complete"]:
            raise Problem("file-incomplete", "The file has not arrived completely.")
        with self.store.change() as db:
            db.execute("UPDATE files SET usedAt = ? WHERE id = ?", (time.time(), file_id))
        return self.store.path(row["file"])

    def source_of(self, job, place):
        """The path of a backup: a file of the region, or what is fetched from an object store."""
        if place.get("file"):
            return self.file_of(place["file"])
        path = os.path.join(job.folder, "fetched")
        ObjectStore(job, place["source"], self.store).fetch(path)
        self.jobs.line(job, "The backup was read from the object store.")
        return path

    def open_backup(self, job, path, product, indexes=True, digest=False):
        folder = os.path.join(job.folder, "opened")
        os.mkdir(folder)
        size = os.path.getsize(path)
        self.store.need_space(size)
        made = self.child(job, "backup", size * 4, archive=path, folder=folder, product=product,
                          indexes=indexes, digest=digest)
        manifest = made["manifest"]
        self.jobs.line(job, f"The backup of {manifest['room']} was taken at {manifest['createdAt']}.")
        self.jobs.line(job, f"Unpacked and checked {len(manifest['files'])} files.")
        for name in made["rebuilt"]:
            self.jobs.line(job, f"The indexes of {name} were damaged and have been built anew.", "warning")
        job.progress = 0.8
        return made

    def system_rows(self, path):
        with contextlib.closing(open_foreign(path)) as db:
            return {table: db.execute(f"SELECT {', '.join(columns)} FROM {table}").fetchall()
                    for table, columns in SYSTEM_TABLES.items()}

    def restore(self, job, place, digest=False, keep=None):
        """What restoreRoom, restoreFromObjectStore and replaceRoom do."""
        room = self.rooms.find(job.room, job.room_id)
        self.rooms.check_writable(room, job.holder)
        path = self.source_of(job, place)
        made = self.open_backup(job, path, room["product"], indexes=not digest, digest=digest)
        result = {"databases": sorted(name for name, _, _ in made["databases"])}
        if made["manifest"]["kind"] == "product":
            return self.join(job, made, result, keep)
        if digest:
            result["digest"] = made["digest"]
        rows = self.system_rows(made["system"])
        with self.jobs.finish(job, result, f"{job.room} has the content of the backup.") as (db, room):
            content = self.store.new_content(made["manifest"]["schemaVersion"], rows)
            for name, file, documents in made["databases"]:
                self.store.add_database(content, name, file, documents)
            db.execute("UPDATE rooms SET content = ? WHERE name = ?", (content, job.room))
            self.leave_content(db, room, keep)

    def leave_content(self, db, room, keep):
        """The content before: kept for putBackRoom, or gone."""
        db.execute("DELETE FROM sessions WHERE content = ?", (room["content"],))
        known = keep and db.execute("SELECT state FROM kept WHERE roomId = ? AND keep = ?",
                                    (room["roomId"], keep)).fetchone()
        if keep and not (known and known["state"] == "kept"):
            db.execute("REPLACE INTO kept VALUES (?, ?, ?, 'kept', ?)",
                       (room["roomId"], keep, room["content"], time.time()))
        else:
            self.store.drop_content(room["content"])

    def join(self, job, made, result, keep):
        """Databases of a product backup come to those of the room, in place of empty and equal ones."""
        with self.snapshot(job, with_system=False) as (_, _, _, paths):
            mine = {fold(name): path for name, path in paths}
            equal = {name for name, path, _ in made["databases"]
                     if self.are_equal(job, mine.get(fold(name)), path)}
        with contextlib.ExitStack() as stack:
            stack.enter_context(self.rooms.lock_of(job.room))  # what is kept is the room up to this moment
            copies = self.copies_to_keep(job, keep) if keep else None
            line = f"The databases of the backup have joined {job.room}."
            db, room = stack.enter_context(self.jobs.finish(job, result, line))
            if copies is not None:
                self.keep_copies(db, room, keep, copies)
            for entry in made["databases"]:
                self.join_database(db, room, *entry, entry[0] in equal)
            result["databases"] = [row["name"] for row in self.rooms.databases(room)]

    def join_database(self, db, room, name, path, documents, equal):
        old = self.rooms.database(room, name)
        if old and equal:  # it stays as it is, whatever users have written in the meantime
            db.execute("UPDATE databases SET name = ? WHERE content = ? AND name = ?",
                       (name, room["content"], old["name"]))
            return
        if old and not self.is_empty(old):
            raise Problem("database-exists", f"The project room has a database {old['name']} already.")
        if old:
            self.drop_database(db, room, old)
        self.store.add_database(room["content"], name, path, documents)

    def copies_to_keep(self, job, keep):
        """Copies of the room's databases, but None if content is kept under this id already."""
        known = "SELECT 1 FROM kept WHERE roomId = ? AND keep = ? AND state = 'kept'"
        if self.store.one(known, job.room_id, keep):
            return None
        copies = {}
        with self.snapshot(job, with_system=False) as (_, _, _, paths):
            for number, (name, path) in enumerate(paths):
                if os.path.dirname(path) == job.folder:  # of documents, which users change
                    settle_database(path)
                    copies[name] = path
                else:
                    copies[name] = os.path.join(job.folder, f"kept-{number}.db")
                    os.link(path, copies[name])
        return copies

    def keep_copies(self, db, room, keep, copies):
        version = self.rooms.info(room)["schemaVersion"]
        content = self.store.new_content(version, self.store.system_rows(room["content"]))
        for row in self.rooms.databases(room):
            db.execute("INSERT INTO databases VALUES (?, ?, ?, ?, ?, ?, ?)", (
                content, row["name"], self.store.adopt(copies[row["name"]]), row["documents"], row["createdAt"],
                row["backupAt"], row["addedBy"]))
        db.execute("REPLACE INTO kept VALUES (?, ?, ?, 'kept', ?)", (room["roomId"], keep, content, time.time()))

    def is_empty(self, row):
        if not row["documents"]:
            return False
        with contextlib.closing(open_documents(self.store.path(row["file"]))) as db:
            return db.execute("SELECT 1 FROM documents LIMIT 1").fetchone() is None

    def drop_database(self, db, room, row):
        db.execute("DELETE FROM databases WHERE content = ? AND name = ?", (room["content"], row["name"]))
        self.store.doom(row["file"])

    # The types

    def backupRoom(self, job, body):
        room_kind = body["kind"] == "room"
        with self.snapshot(job, room_kind) as (info, begun, system, paths):
            self.store.need_space(2 * sum(os.path.getsize(path) for _, path in paths))
            self.jobs.line(job, f"The backup will have {len(paths) + room_kind} files.")
            digest = {}
            if body.get("digest") and room_kind:
                digest = {"digest": self.digest_of(job, system, paths)}
                self.jobs.line(job, f"The digest of what is packed is {digest['digest']}.")
            target = os.path.join(job.folder, "backup")
            with open(target, "xb") as file:
                sink = Sink(job, file)
                self.pack(job, sink, info, begun, system, paths, body["kind"])
        result = {}
        with self.jobs.finish(job, result, f"The backup has {sink.size} bytes.") as (db, room):
            result.update(self.add_file(db, job, target, sink.digest.hexdigest()), **digest)
            self.note_backup(db, room, begun, [entry[0] for entry in paths])

    def restoreRoom(self, job, body):
        self.restore(job, body, bool(body.get("digest")))

    def restoreFromObjectStore(self, job, body):
        self.restore(job, body)

    def replaceRoom(self, job, body):
        self.restore(job, body["from"], keep=body["keep"])

    def putBackRoom(self, job, body):
        result = {"replaced": True}
        with self.jobs.finish(job, result, "The former content was looked for.") as (db, room):
            kept = db.execute("SELECT * FROM kept WHERE roomId = ? AND keep = ?",
                              (room["roomId"], body["kept"])).fetchone()
            if kept is None:
                result["replaced"] = False
            elif kept["state"] == "gone":
                raise Problem("content-gone", "The former content of the room is no longer kept.")
            elif kept["state"] == "kept":
                db.execute("UPDATE rooms SET content = ? WHERE name = ?", (kept["content"], job.room))
                db.execute("UPDATE kept SET state = 'back', content = NULL WHERE roomId = ? AND keep = ?",
                           (room["roomId"], body["kept"]))
                self.leave_content(db, room, None)

    def deleteRoom(self, job, body):
        result = {"existed": False}
        with self.jobs.finish(job, result, f"The project room {job.room} is removed.") as (db, room):
            if not body["keepRoute"]:
                db.execute("DELETE FROM routes WHERE name = ?", (job.room,))
            if room:
                result["existed"] = True
                self.remove_room(db, room)

    def remove_room(self, db, room):
        others = db.execute("SELECT 1 FROM rooms WHERE roomId = ? AND name != ?",
                            (room["roomId"], room["name"]))
        self.store.drop_content(room["content"])
        db.execute("DELETE FROM rooms WHERE name = ?", (room["name"],))
        if not others.fetchone():
            self.drop_kept(db, room["roomId"])

    def drop_kept(self, db, room_id):
        rows = db.execute("SELECT content FROM kept WHERE roomId = ? AND state = 'kept'", (room_id,)).fetchall()
        for row in rows:
            self.store.drop_content(row["content"])
        db.execute("DELETE FROM kept WHERE roomId = ?", (room_id,))
        return len(rows)

    def purgeRoom(self, job, body):
        copies = self.store.all("SELECT name FROM rooms WHERE roomId = ?", body["roomId"])
        with contextlib.ExitStack() as stack:
            for name in sorted({row["name"] for row in copies} | {job.room}):  # no write of a user overlaps
                stack.enter_context(self.rooms.lock_of(name))
            db = stack.enter_context(self.store.change(frees=True))
            job.check()
            with contextlib.suppress(RoomUnknown):
                self.rooms.find(job.room)  # a damaged one may be the one
            result = self.purge(db, body)
            doomed = list(self.store.doomed)
        for path in doomed:  # those that could not be removed: the job is not done while one is left
            remove_file(path)
        self.store.all("PRAGMA wal_checkpoint(TRUNCATE)")
        with self.jobs.finish(job, result, "The region was searched for what it has of the room.", late=True):
            pass

    def purge(self, db, body):
        room_id, look = body["roomId"], body.get("look")
        copies = db.execute("SELECT * FROM rooms WHERE roomId = ?", (room_id,)).fetchall()
        for room in copies:
            self.rooms.check_writable(room, None)
        kept = self.store.one("SELECT count(*) FROM kept WHERE roomId = ? AND state = 'kept'", room_id)[0]
        of_jobs = self.store.all("SELECT file FROM job_files JOIN jobs ON id = job WHERE roomId = ?", room_id)
        wanted = {row["file"] for row in of_jobs} | set(body["files"])
        files = [row for row in map(self.store.file_row, wanted) if row]
        if not look:
            for row in files:
                db.execute("DELETE FROM files WHERE id = ?", (row["id"],))
                self.store.doom(row["file"])
            for room in copies:
                self.remove_room(db, room)
            self.drop_kept(db, room_id)
        return {"copies": len(copies), "kept": kept, "files": len(files)}

    def backupDatabase(self, job, body):
        with self.snapshot(job, with_system=False) as (_, begun, _, paths):
            path = dict(map(tuple, paths)).get(body["database"])
            if path is None:
                raise Problem("database-unknown", f"The project room has no database {body['database']}.")
            self.store.need_space(os.path.getsize(path))
            target = os.path.join(job.folder, "export")
            write_export(path, target, body["password"], job.check)
        result, sha256 = {}, sha256_of(target)
        with self.jobs.finish(job, result, f"The export has {os.path.getsize(target)} bytes.") as (db, room):
            result.update(self.add_file(db, job, target, sha256))
            self.note_backup(db, room, begun, [body["database"]])

    def open_export(self, job, body):
        archive, target = self.file_of(body["file"]), os.path.join(job.folder, "export.db")
        self.store.need_space(os.path.getsize(archive))
        made = self.child(job, "export", 4 * os.path.getsize(archive), archive=archive, target=target,
                          password=body["password"])
        if made["rebuilt"]:
            self.jobs.line(job, "The indexes of the database were damaged and have been built anew.", "warning")
        return target, made["documents"]

    def restoreDatabase(self, job, body):
        path, documents = self.open_export(job, body)
        result = {}
        with self.jobs.finish(job, result, "The database of the export is in place.") as (db, room):
            old = self.rooms.database(room, body["database"])
            result["database"] = old["name"] if old else body["database"]
            if old:
                self.drop_database(db, room, old)
            self.store.add_database(room["content"], result["database"], path, documents)

    def importDatabase(self, job, body):
        result = {"database": body["database"]}
        mark = fingerprint({"type": job.type, **body})
        old = self.rooms.database(self.rooms.find(job.room, job.room_id), body["database"])
        if old and old["addedBy"] == mark:
            with self.jobs.finish(job, result, "An earlier job has added the database."):
                return
        path, documents = self.open_export(job, body)
        with self.snapshot(job, with_system=False) as (_, _, _, paths):
            equal = self.are_equal(job, dict(map(tuple, paths)).get(body["database"]), path)
        with self.jobs.finish(job, result, "The database of the export is in place.") as (db, room):
            old = self.rooms.database(room, body["database"])
            if old and not (equal and old["name"] == body["database"]):
                raise Problem("database-exists", f"The project room has a database {old['name']} already.")
            if not old:
                self.store.add_database(room["content"], body["database"], path, documents, mark)

    def deleteDatabase(self, job, body):
        result = {"existed": False}
        with self.jobs.finish(job, result, f"The database {body['database']} is removed.") as (db, room):
            old = self.rooms.database(room, body["database"])
            if old:
                result["existed"] = True
                self.drop_database(db, room, old)

    def updateSystemDatabase(self, job, body):
        result = {}
        with self.jobs.finish(job, result, "The room has the newest schema version.") as (db, room):
            version = self.rooms.info(room)["schemaVersion"]
            result.update({"from": version, "to": SCHEMA_VERSION})
            db.execute("UPDATE contents SET version = ? WHERE id = ?", (SCHEMA_VERSION, room["content"]))

    def backupToObjectStore(self, job, body):
        path, place = os.path.join(job.folder, "backup"), body["target"]
        with self.snapshot(job) as (info, begun, system, paths), open(path, "xb") as file:
            self.store.need_space(2 * sum(os.path.getsize(p) for _, p in paths))
            sink = Sink(job, file)
            self.pack(job, sink, info, begun, system, paths, "room")
        sha256, store = sink.digest.hexdigest(), ObjectStore(job, place, self.store)
        self.jobs.line(job, f"The backup has {sink.size} bytes and goes into the object store.")
        store.put(path, sink.size, sha256)
        if store.fetch(None) != (sink.size, sha256):
            raise Problem("object-differs", "What was read back from the object store is not what was written.")
        result = {"location": f"s3://{place['bucket']}/{place['key']}", "size": sink.size, "sha256": sha256}
        with self.jobs.finish(job, result, "The object was read back and is right.") as (db, room):
            self.note_backup(db, room, begun, [entry[0] for entry in paths])

    def verifyBackup(self, job, body):
        path = self.source_of(job, body["from"])
        made = self.open_backup(job, path, body.get("product"), digest=True)
        files = made["manifest"]["files"]
        result = {"files": len(files), "bytes": sum(file["size"] for file in files), "digest": made["digest"],
                  "databases": sorted(name for name, _, _ in made["databases"]), "rebuilt": made["rebuilt"]}
        with self.jobs.finish(job, result, "The backup can be restored."):
            pass

    def digestRoom(self, job, body):
        with self.snapshot(job) as (_, _, system, paths):
            result = {"digest": self.digest_of(job, system, paths)}
        with self.jobs.finish(job, result, f"The digest is {result['digest']}."):
            pass


# ---- Object stores (S3), with AWS Signature Version 4 ----

class ObjectStore:
    PART = 8 * MIB

    def __init__(self, job, place, space):
        self.job, self.place, self.space = job, place, space
        endpoint = place["endpoint"] or f"https://s3.{place['region']}.amazonaws.com"
        parts = urllib.parse.urlsplit(endpoint)
        self.secure, self.host = parts.scheme.lower() == "https", parts.netloc
        self.path = parts.path + "/" + place["bucket"] + "/" + urllib.parse.quote(place["key"], safe="/-_.~")

    def headers(self, method, query, payload):
        place, now = self.place, time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())
        signed = {"host": self.host, "x-amz-content-sha256": payload, "x-amz-date": now}
        if place["sessionToken"]:
            signed["x-amz-security-token"] = place["sessionToken"]
        names, scope = ";".join(sorted(signed)), f"{now[:8]}/{place['region']}/s3/aws4_request"
        lines = [f"{name}:{signed[name].strip()}" for name in sorted(signed)]
        request = "\n".join([method, self.path, query, *lines, "", names, payload])
        to_sign = "\n".join(["AWS4-HMAC-SHA256", now, scope, hashlib.sha256(request.encode()).hexdigest()])
        key = ("AWS4" + place["secretKey"]).encode()
        for step in [*scope.split("/"), to_sign]:
            key = hmac.digest(key, step.encode(), "sha256")
        signed["Authorization"] = (f"AWS4-HMAC-SHA256 Credential={place['accessKey']}/{scope}, "
                                   f"SignedHeaders={names}, Signature={key.hex()}")
        return signed

    @contextlib.contextmanager
    def call(self, method, query="", blocks=(), size=0, payload=hashlib.sha256().hexdigest()):
        """One request; yields the store's answer if it is a success in the store's own words."""
        kind = http.client.HTTPSConnection if self.secure else http.client.HTTPConnection
        connection = kind(self.host, timeout=30)
        try:
            try:
                connection.connect()
                handle = connection.sock
                self.job.abort = lambda: handle.shutdown(socket.SHUT_RDWR)
                self.job.check()
                connection.putrequest(method, self.path + ("?" + query if query else ""), skip_host=True)
                for name, value in self.headers(method, query, payload).items():
                    connection.putheader(name, value)
                if method in ("PUT", "POST"):
                    connection.putheader("Content-Length", str(size))
                connection.endheaders()
                with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # an answer may come early
                    for block in blocks:
                        self.job.check()
                        connection.send(block)
                answer = connection.getresponse()
                if answer.status >= 300:
                    self.refuse(answer)
                if method == "PUT" and not answer.headers.get("ETag"):  # other answers are looked into
                    raise Problem("object-store-unreachable", "What answered is no object store.")
                yield answer
            except ValueError:  # its text repeats the value of the header
                raise Problem("object-store-refused", "The credentials do not fit into a header.") from None
            except ssl.SSLCertVerificationError as error:
                raise Problem("object-store-refused", f"The store has no valid certificate: {error.reason}.")
            except (OSError, http.client.HTTPException) as error:
                self.job.check()
                if is_full(error):
                    raise
                raise Problem("object-store-unreachable", "The object store does not answer as it should.")
        finally:
            self.job.abort = lambda: None
            connection.close()

    def refuse(self, answer):
        status = answer.status
        if status in (408, 429) or status >= 500:
            raise Problem("object-store-unreachable", f"The object store has answered {status}.")
        code = re.search(rb"<Code>\s*(\w+)\s*</Code>", answer.read(65536))
        known = code and code[1] in (b"NoSuchKey", b"NoSuchBucket", b"NoSuchUpload")
        if status == 404 and known:
            raise Problem("object-unknown", f"The store has no such bucket or object: {code[1].decode()}.")
        raise Problem("object-store-refused", f"The object store refuses the request with {status}.")

    def put(self, path, size, sha256):
        if size <= self.PART:
            with open(path, "rb") as file:
                blocks = iter(lambda: file.read(MIB), b"")
                with self.call("PUT", "", blocks, size, sha256):
                    return
        with self.call("POST", "uploads=") as answer:
            found = re.search(r"<UploadId>([^<]+)</UploadId>", answer.read(65536).decode("utf-8", "replace"))
        if not found:
            raise Problem("object-store-unreachable", "The object store has begun no upload.")
        upload = "uploadId=" + urllib.parse.quote(found[1].replace("&amp;", "&"), safe="-_.~")
        try:
            tags = self.put_parts(path, size, upload)
            body = ("<CompleteMultipartUpload>" + "".join(
                f"<Part><PartNumber>{n}</PartNumber><ETag>{tag}</ETag></Part>" for n, tag in enumerate(tags, 1))
                + "</CompleteMultipartUpload>").encode()
            with self.call("POST", upload, [body], len(body), hashlib.sha256(body).hexdigest()) as answer:
                if b"CompleteMultipartUploadResult" not in answer.read(65536):  # also an error comes with 200
                    raise Problem("object-store-unreachable", "The store has not put the parts together.")
        except BaseException:
            stopped, self.job.cancelled = self.job.cancelled, False  # its parts are removed all the same
            with contextlib.suppress(Problem, OSError), self.call("DELETE", upload):
                pass
            self.job.cancelled |= stopped
            raise

    def put_parts(self, path, size, upload):
        tags, part = [], max(self.PART, size // 9000 + 1)
        with open(path, "rb") as file:
            for number, start in enumerate(range(0, size, part), 1):
                length, digest = min(part, size - start), hashlib.sha256()

                def blocks():
                    file.seek(start)
                    left = length
                    while left:
                        block = file.read(min(MIB, left))
                        left -= len(block)
                        yield block

                for block in blocks():
                    digest.update(block)
                query = f"partNumber={number}&{upload}"
                with self.call("PUT", query, blocks(), length, digest.hexdigest()) as answer:
                    tags.append(answer.headers.get("ETag"))
        return tags

    def fetch(self, path):
        """Reads the object, into a file if there is a path: its size and SHA-256."""
        size, digest = 0, hashlib.sha256()
        with contextlib.ExitStack() as stack:
            answer = stack.enter_context(self.call("GET"))
            kind = answer.getheader("Content-Type", "").strip().lower()
            if kind.startswith("text/html") and answer.getheader("ETag") is None:
                raise Problem("object-store-unreachable", "A page of something else came in place of the object.")
            file = stack.enter_context(open(path, "xb")) if path else None
            while block := answer.read(MIB):
                self.job.check()
                size += len(block)
                digest.update(block)
                if file:
                    self.space.need_space(len(block))
                    file.write(block)
            if answer.length:
                raise Problem("object-store-unreachable", "The object store has broken off.")
        return size, digest.hexdigest()


# ---- The region: what its calls do ----

CALLS = []


def call(pattern):
    """Marks a method of Region as the call of this method and path; {parts} become its arguments."""
    def mark(function):
        method, path = pattern.split(" ")
        CALLS.append((method, path.split("/"), function))
        return function
    return mark


PATH_SHAPES = {"{room}": ROOM_NAME, "{caller}": CALLER_ID, "{any}": text(1, 1000)}


def page_of(query):
    return text(0, 24)(query.get("after", ""), "after"), query_number(query, "limit", 100, 1, 1000)


def query_number(query, name, default, low, high):
    value = query.get(name, str(default))
    if not re.fullmatch(r"\d{1,15}", value, re.ASCII) or not low <= int(value) <= high:
        wrong(name, f"has to be a whole number from {low} to {high}")
    return int(value)


class Region:
    CONSOLE_SESSION = HOUR
    USER_SESSION = HOUR / 2

    def __init__(self, settings):
        self.settings, self.store = settings, Store(settings["data_dir"])
        self.rooms = Rooms(self.store)
        self.jobs = Jobs(self.store, self.rooms, settings)
        self.instance = self.store.one("SELECT id FROM instance")["id"]
        self.sessions, self.failures, self.turns = {}, {}, {}
        self.sign_in_lock, self.uploads, self.uploads_lock = threading.Lock(), {}, threading.Lock()
        threading.Thread(target=self.tidy_for_ever, daemon=True).start()

    def tidy_for_ever(self):
        while True:
            with contextlib.suppress(Exception):
                self.tidy()
            time.sleep(HOUR / 2)

    def tidy(self):
        """Forgets what need not be known any longer."""
        now = time.time()
        with self.store.change() as db:
            db.execute("DELETE FROM fences WHERE raisedAt < ?", (now - 91 * 24 * HOUR,))
            old = "(SELECT id FROM jobs WHERE endedAt < ?)"
            for table, column in (("lines", "job"), ("job_files", "job"), ("jobs", "id")):
                db.execute(f"DELETE FROM {table} WHERE {column} IN {old}", (now - Jobs.FORGOTTEN_AFTER,))
            for row in self.store.all("SELECT id, file FROM files WHERE usedAt < ?", now - 48 * HOUR):
                db.execute("DELETE FROM files WHERE id = ?", (row["id"],))
                self.store.doom(row["file"])
            for row in self.store.all("SELECT * FROM kept WHERE state = 'kept' AND at < ?", now - 48 * HOUR):
                db.execute("UPDATE kept SET state = 'gone', content = NULL WHERE roomId = ? AND keep = ?",
                           (row["roomId"], row["keep"]))
                self.store.drop_content(row["content"])
            db.execute("DELETE FROM sessions WHERE lastActiveAt < ?", (now - 2 * self.USER_SESSION,))
            db.execute("DELETE FROM departed WHERE roomId NOT IN (SELECT roomId FROM rooms)")
        self.store.keep_reserve()

    # Signing in

    @call("POST session")
    def sign_in(self, request):
        body = request.json(record(userName=text(0, 320), password=text(0, 1024)))
        busy = self.wait_turn(request.network)
        given = hashlib.sha256(json.dumps([body["userName"], body["password"]]).encode()).digest()
        right = hashlib.sha256(json.dumps([self.settings["user"], self.settings["password"]]).encode()).digest()
        if not hmac.compare_digest(given, right):
            with self.sign_in_lock:
                self.failures.setdefault(request.network, []).append(time.monotonic())
            if busy:
                raise Problem("too-many-attempts", "There were too many wrong sign-ins from this network.")
            raise Problem("wrong-credentials", "The user name or the password is wrong.")
        token, ends = secrets.token_urlsafe(32), time.time() + self.CONSOLE_SESSION
        with self.sign_in_lock:
            self.sessions = {known: end for known, end in self.sessions.items() if end > time.time()}
            self.sessions[token] = ends
        return 200, {"token": token, "expiresAt": now_text(ends)}

    def wait_turn(self, network):
        """Attempts from a network with many failures wait a tenth of a second each; right ones always pass."""
        now = time.monotonic()
        with self.sign_in_lock:
            self.failures = {who: [at for at in times if at > now - 60] for who, times in self.failures.items()
                             if times[-1] > now - 60}
            busy = len(self.failures.get(network, ())) >= 10
            turn = max(now, self.turns.get(network, now)) + 0.1 if busy else now
            self.turns = {who: at for who, at in self.turns.items() if at > now}
            if busy:
                self.turns[network] = turn
        time.sleep(min(10, turn - now))
        return busy

    def check_session(self, request):
        kind, _, token = (request.headers.get("Authorization") or "").partition(" ")
        if kind.lower() != "bearer" or not self.sessions.get(token.strip(), 0) > time.time():
            raise Problem("signed-out", "The session is missing, unknown or over.")

    @call("GET status")
    def status(self, request):
        for name in list(self.rooms.damaged):
            with contextlib.suppress(Problem):
                self.rooms.find(name)
        return 200, {
            "name": self.settings["name"], "version": "1.0 (Python)", "protocolVersion": 1,
            "capabilities": CAPABILITIES, "instanceId": self.instance, "products": self.settings["products"],
            "rooms": self.store.one("SELECT count(*) FROM rooms")[0], "freeBytes": self.store.free_bytes(),
            "damagedRooms": [{"name": name, "reason": reason}
                             for name, reason in sorted(self.rooms.damaged.items())[:10000]]}

    # Rooms

    @call("GET rooms")
    def list_rooms(self, request):
        after, limit = page_of(request.query)
        rows = self.store.all("SELECT name FROM rooms WHERE name > ? ORDER BY name LIMIT ?", after, limit + 1)
        infos = []
        for row in rows[:limit]:
            with contextlib.suppress(Problem), self.store.lock:
                infos.append(self.rooms.info(self.rooms.find(row["name"])))
        return 200, {"rooms": infos, "next": rows[limit - 1]["name"] if len(rows) > limit else None}

    @call("GET rooms/{room}")
    def get_room(self, request, name):
        with self.store.lock:
            return 200, self.rooms.info(self.rooms.find(name))

    @call("PUT rooms/{room}")
    def create_room(self, request, name):
        body = request.json(CREATION)
        path = os.path.join(self.store.work, self.store.new_name(".db"))
        try:
            if not self.store.one("SELECT 1 FROM rooms WHERE name = ?", name):
                new_documents(path)
            with self.rooms.lock_of(name), self.store.change(request.fence, MIB) as db:
                try:
                    room = self.rooms.find(name, body["roomId"])
                    if room["creation"] != fingerprint(body):
                        raise Problem("room-exists",
                                      f"The project room {name} exists and was created with other values.")
                except RoomUnknown:
                    if body["product"] not in self.settings["products"]:
                        raise Problem("product-not-served", f"This region does not host {body['product']}.")
                    if not os.path.exists(path):
                        raise Problem("interrupted", "The project room was removed meanwhile.")
                    self.rooms.create(db, name, body, path)
                db.execute("DELETE FROM routes WHERE name = ?", (name,))
                return 200, self.rooms.info(self.rooms.find(name))
        finally:
            remove_file(path)

    @contextlib.contextmanager
    def change_room(self, request, name, body, grows=0):
        """A change of a room: none of its users writes meanwhile."""
        with self.rooms.lock_of(name), self.store.change(request.fence, grows) as db:
            yield db, self.rooms.find(name, body["roomId"])

    @call("PATCH rooms/{room}")
    def patch_room(self, request, name):
        body = request.json(CHANGE)
        with self.change_room(request, name, body, MIB) as (db, room):
            self.rooms.change_settings(db, room["content"], body)
            return 200, self.rooms.info(room)

    def set_state(self, request, name, state):
        body = request.json(OWN_ROOM)
        with self.change_room(request, name, body) as (db, room):
            db.execute("UPDATE rooms SET state = ? WHERE name = ?", (state, name))
            return 200, self.rooms.info(self.rooms.find(name))

    @call("POST rooms/{room}/suspend")
    def suspend(self, request, name):
        return self.set_state(request, name, "suspended")

    @call("POST rooms/{room}/resume")
    def resume(self, request, name):
        return self.set_state(request, name, "active")

    @call("POST rooms/{room}/lock")
    def lock(self, request, name):
        body = request.json(LOCKING)
        with self.change_room(request, name, body) as (db, room):
            self.rooms.take_lock(db, room, body["holder"])
            return 200, self.rooms.info(self.rooms.find(name))

    @call("POST rooms/{room}/unlock")
    def unlock(self, request, name):
        body = request.json(LOCKING)
        with self.change_room(request, name, body) as (db, room):
            lock = find_lock(room)
            if lock and lock["holder"] != body["holder"]:
                raise Problem("locked-by-another", f"The project room is locked by {lock['holder']}.")
            db.execute("UPDATE rooms SET holder = NULL WHERE name = ?", (name,))
            return 200, self.rooms.info(self.rooms.find(name))

    @call("GET rooms/{room}/console-record")
    def get_record(self, request, name):
        return 200, {"record": self.rooms.find(name)["record"]}

    @call("PUT rooms/{room}/console-record")
    def put_record(self, request, name):
        body = request.json(record(roomId=uuid_text, record=text(1, 8192)))
        with self.change_room(request, name, body, MIB) as (db, room):
            db.execute("UPDATE rooms SET record = ? WHERE name = ?", (body["record"], name))
        return 204, None

    @call("GET rooms/{room}/licences")
    def licences(self, request, name):
        with self.store.lock:
            rows = self.store.all(
                "SELECT licenseKey, licenseAmount, licenseType, (SELECT count(*) FROM users WHERE "
                "content = l.content AND licenseKey = l.licenseKey) AS used FROM licences AS l "
                "WHERE content = ? ORDER BY position", self.rooms.find(name)["content"])
        return 200, [dict(row) for row in rows]

    @call("GET rooms/{room}/databases")
    def list_databases(self, request, name):
        with self.rooms.lock_of(name):
            return 200, [self.database_info(row) for row in self.rooms.databases(self.rooms.find(name))]

    def database_info(self, row):
        path, about = self.store.path(row["file"]), {}
        if row["documents"]:
            with contextlib.closing(open_documents(path)) as db:
                about = dict(db.execute("SELECT name, value FROM about LIMIT 10"))
        for name, other in (("createdAt", row["createdAt"]), ("changedAt", now_text(os.path.getmtime(path)))):
            try:
                time_text(about.get(name), name)
            except Problem:
                about[name] = other
        return {"name": row["name"], "size": os.path.getsize(path), "createdAt": about["createdAt"],
                "changedAt": about["changedAt"], "backupAt": row["backupAt"]}

    # Users and their sessions

    def session_info(self, row):
        return {"id": row["id"], "userId": row["userId"], "user": row["email"],
                "startedAt": now_text(row["startedAt"]), "lastActiveAt": now_text(row["lastActiveAt"]),
                "expiresAt": now_text(row["lastActiveAt"] + self.USER_SESSION)}

    @call("GET rooms/{room}/sessions")
    def list_sessions(self, request, name):
        room = self.rooms.find(name)
        rows = self.store.all(
            "SELECT s.*, email FROM sessions AS s JOIN users AS u ON u.content = s.content AND u.id = userId "
            "WHERE s.content = ? AND lastActiveAt > ? ORDER BY startedAt LIMIT 100000",
            room["content"], time.time() - self.USER_SESSION)
        return 200, [self.session_info(row) for row in rows if room["state"] == "active"]

    def check_open(self, room):
        if room["state"] != "active":
            raise Problem("room-suspended", f"The project room {room['name']} is suspended.")
        if is_over(self.rooms.setting(room["content"], "expirationDate")):
            raise Problem("room-expired", f"The last day of the project room {room['name']} has passed.")

    @call("POST rooms/{room}/sessions")
    def open_session(self, request, name):
        user = request.json(record(user=text(1, 320)))["user"]
        with self.store.change(request.fence) as db:
            room = self.rooms.find(name)
            self.check_open(room)
            found = db.execute("SELECT id, email FROM users WHERE content = ? AND (id = ? OR email = ?)",
                               (room["content"], user, user.strip())).fetchone()
            if not found:
                raise Problem("user-unknown", "The project room has no such user.")
            token, now = secrets.token_urlsafe(32), time.time()
            row = {"id": str(uuid.uuid4()), "userId": found["id"], "email": found["email"], "startedAt": now,
                   "lastActiveAt": now}
            db.execute("INSERT INTO sessions VALUES (?, ?, ?, ?, ?, ?)", (
                row["id"], room["content"], found["id"], hashlib.sha256(token.encode()).hexdigest(), now, now))
        return 200, {**self.session_info(row), "token": token}

    @call("DELETE rooms/{room}/sessions/{any}")
    def end_session(self, request, name, session_id):
        with self.store.change(request.fence) as db:
            room = self.rooms.find(name)
            db.execute("DELETE FROM sessions WHERE id = ? AND content = ?", (session_id, room["content"]))
        return 204, None

    @call("DELETE users/{any}")
    def delete_user(self, request, user_id):
        with self.store.change(request.fence) as db:
            found = db.execute("SELECT rooms.*, role FROM rooms JOIN users USING (content) WHERE id = ? "
                               "ORDER BY name", (user_id,)).fetchall()
            if any(row["role"] == "owner" for row in found):
                raise Problem("owner-kept", "The user owns a project room, so the user cannot be deleted.")
            answer = [self.remove_user(db, row, user_id) for row in found]
            left = self.store.all("SELECT name, content FROM departed JOIN rooms USING (roomId) "
                                  "WHERE userId = ? ORDER BY name", user_id)
            now = {room["name"] for room in answer}
            without = [row["name"] for row in left if row["name"] not in now
                       and not self.rooms.setting(row["content"], "contacts")["delegateEmail"]]
        return 200, {"gone": all(room["gone"] for room in answer), "rooms": answer[:1000],
                     "withoutDelegate": without[:1000]}

    def remove_user(self, db, room, user_id):
        answer = {"name": room["name"], "wasDelegate": room["role"] == "delegate", "gone": False}
        if find_lock(room):
            return answer
        content = room["content"]
        if answer["wasDelegate"]:
            contacts = {**self.rooms.setting(content, "contacts"), "delegateEmail": None}
            contacts = compact(CONTACTS(contacts, "contacts"))
            db.execute("REPLACE INTO settings VALUES (?, 'contacts', ?)", (content, contacts))
            db.execute("REPLACE INTO departed VALUES (?, ?)", (user_id, room["roomId"]))
        db.execute("DELETE FROM sessions WHERE content = ? AND userId = ?", (content, user_id))
        db.execute("DELETE FROM users WHERE content = ? AND id = ?", (content, user_id))
        return {**answer, "gone": True}

    # Jobs, fences and redirects

    @call("PUT jobs/{caller}")
    def put_job(self, request, job_id):
        wait = query_number(request.query, "wait", 0, 0, 10000)
        body = request.json()
        job_type = one_of(*JOB_SHAPES)(body.get("type") if isinstance(body, dict) else None, "type")
        is_new = self.jobs.start(job_id, job_type, JOB_SHAPES[job_type](body), request.fence)
        return 200, self.jobs.info(job_id, 0, wait, isNew=is_new)

    @call("GET jobs/{caller}")
    def get_job(self, request, job_id):
        wait = query_number(request.query, "wait", 0, 0, 10000)
        return 200, self.jobs.info(job_id, query_number(request.query, "after", 0, 0, 10**15 - 1), wait)

    @call("DELETE jobs/{caller}")
    def cancel_job(self, request, job_id):
        self.jobs.cancel(job_id, request.fence)
        return 200, self.jobs.info(job_id)

    @call("PUT fences")
    def put_fences(self, request):
        fences = request.json(FENCES)["fences"]
        with self.store.change(request.fence) as db:
            db.executemany("INSERT INTO fences VALUES (:operation, :fence, :now) ON CONFLICT DO UPDATE SET "
                           "fence = max(fence, excluded.fence), raisedAt = excluded.raisedAt",
                           [{**fence, "now": time.time()} for fence in fences])
        return 204, None

    @call("GET routes")
    def list_routes(self, request):
        after, limit = page_of(request.query)
        rows = self.store.all("SELECT * FROM routes WHERE name > ? ORDER BY name LIMIT ?", after, limit + 1)
        return 200, {"routes": [dict(row) for row in rows[:limit]],
                     "next": rows[limit - 1]["name"] if len(rows) > limit else None}

    @call("PUT routes/{room}")
    def put_route(self, request, name):
        target = request.json(record(targetUrl=host_address))["targetUrl"]
        with self.store.change(request.fence) as db:
            db.execute("REPLACE INTO routes VALUES (?, ?)", (name, target))
        return 204, None

    @call("DELETE routes/{room}")
    def delete_route(self, request, name):
        with self.store.change(request.fence) as db:
            db.execute("DELETE FROM routes WHERE name = ?", (name,))
        return 204, None

    # Files

    def file_info(self, file_id):
        row = self.store.file_row(file_id)
        return {"id": file_id, "size": row["size"], "received": row["received"],
                "complete": bool(row["complete"]), "sha256": row["sha256"] if row["complete"] else None}

    @call("PUT files/{caller}")
    def put_file(self, request, file_id):
        headers = request.headers
        if request.media_type() != "application/octet-stream":
            raise Problem("wrong-media-type", "An upload needs the Content-Type application/octet-stream.")
        if request.body.length is None:
            raise Problem("length-required", "An upload needs a Content-Length.")
        sha256 = digest_header(headers.get("Digest"))
        asks, first, size = upload_range(headers.get("Content-Range"), request.body.length)
        with self.store.lock:
            row = self.store.file_row(file_id)
            same = row is not None and (row["size"], row["sha256"]) == (size, sha256)
            if row is not None and row["complete"] and not same:
                with self.store.change(request.fence):
                    raise Problem("file-exists", f"The id {file_id} belongs to a file of another content.")
            if asks or (same and row["complete"]):
                with self.store.change(request.fence) as db:
                    db.execute("UPDATE files SET usedAt = ? WHERE id = ?", (time.time(), file_id))
                missing = {"id": file_id, "size": size, "received": 0, "complete": False, "sha256": None}
                return 200, self.file_info(file_id) if same else missing
        with self.only_upload(request, file_id) as upload:
            self.receive(request, upload, file_id, first, size, sha256)
        return 200, self.file_info(file_id)

    @contextlib.contextmanager
    def only_upload(self, request, file_id):
        """Of two uploads of one file the newer wins: it waits until the older one has ended."""
        upload = Upload(request.connection)
        with self.uploads_lock:
            older, self.uploads[file_id] = self.uploads.get(file_id), upload
        try:
            if older:
                older.overtake()
            yield upload
        finally:
            upload.done.set()
            with self.uploads_lock:
                if self.uploads.get(file_id) is upload:
                    del self.uploads[file_id]

    def receive(self, request, upload, file_id, first, size, sha256):
        with self.store.change(request.fence, size - first) as db:
            row = db.execute("SELECT * FROM files WHERE id = ?", (file_id,)).fetchone()
            if row and row["complete"]:
                raise Problem("upload-overtaken", "Another upload has completed the file.")
            known = row and (row["size"], row["sha256"]) == (size, sha256)
            if first and first != (row["received"] if known else 0):
                raise Problem("range-mismatch", "The content does not begin where the region has stopped.")
            name = row["file"] if first else self.store.new_name()
            if not first:
                if row:
                    self.store.doom(row["file"])
                db.execute("REPLACE INTO files VALUES (?, ?, ?, ?, 0, 0, ?)",
                           (file_id, name, size, sha256, time.time()))
        try:
            digest = self.receive_bytes(request, upload, file_id, self.store.path(name), first, size)
            sync_folder(self.store.data)
            if digest != sha256:
                raise Problem("digest-mismatch", "What arrived does not have the announced SHA-256.")
            with self.store.change(request.fence) as db:
                db.execute("UPDATE files SET received = size, complete = 1, usedAt = ? "
                           "WHERE id = ? AND file = ?", (time.time(), file_id, name))
        except (Problem, OSError, sqlite3.Error) as error:
            if is_full(error) or getattr(error, "code", "") in ("digest-mismatch", "storage-full"):
                self.drop_file(file_id, name)
            raise

    def receive_bytes(self, request, upload, file_id, path, first, size):
        digest, received, safe = hashlib.sha256(), first, first
        with open(path, "r+b" if first else "w+b") as file:
            file.truncate(first)
            while block := file.read(MIB):
                digest.update(block)
            try:
                while received < size:
                    block = request.body.read(256 * 1024)
                    if upload.overtaken or not block:
                        break
                    self.store.need_space(len(block))
                    file.write(block)
                    digest.update(block)
                    received += len(block)
                    if received - safe >= 16 * MIB:
                        safe = self.note_received(file, file_id, path, received)
            finally:
                self.note_received(file, file_id, path, received)
        if upload.overtaken:
            raise Problem("upload-overtaken", "A newer upload of the file, or its removal, has ended this one.")
        if received < size:
            raise ConnectionError("the upload broke off")
        return digest.hexdigest()

    def note_received(self, file, file_id, path, received):
        file.flush()
        os.fsync(file.fileno())
        with self.store.change() as db:
            db.execute("UPDATE files SET received = ?, usedAt = ? WHERE id = ? AND file = ? AND NOT complete",
                       (received, time.time(), file_id, os.path.basename(path)))
        return received

    def drop_file(self, file_id, name=None, fence=None):
        with self.store.change(fence, frees=True) as db:
            row = db.execute("SELECT file FROM files WHERE id = ?", (file_id,)).fetchone()
            if row and name in (None, row["file"]):
                db.execute("DELETE FROM files WHERE id = ?", (file_id,))
                self.store.doom(row["file"])

    @call("GET files/{caller}")
    def get_file(self, request, file_id):
        path = self.jobs.work.file_of(file_id)
        row = self.store.file_row(file_id)
        size, tag = row["size"], f'"{row["sha256"]}"'
        first, last, status = 0, size - 1, 200
        wanted = request.headers.get("Range", "").strip()
        wanted = re.fullmatch(r"bytes=(\d{0,18})-(\d{0,18})", wanted, re.ASCII)
        turned = wanted and all(wanted.groups()) and int(wanted[1]) > int(wanted[2])
        same = request.headers.get("If-Range", tag).strip() == tag
        if wanted and any(wanted.groups()) and not turned and same:
            first, last = asked_range(*wanted.groups(), size)
            status = 206
        headers = {"Content-Type": "application/octet-stream", "Accept-Ranges": "bytes", "ETag": tag,
                   "Digest": "sha-256=" + base64.b64encode(bytes.fromhex(row["sha256"])).decode(),
                   "Content-Length": str(last - first + 1)}
        if status == 206:
            headers["Content-Range"] = f"bytes {first}-{last}/{size}"
        with open(path, "rb") as file:
            request.send_head(status, headers)
            if last >= first:
                request.connection.sendfile(file, first, last - first + 1)

    @call("DELETE files/{caller}")
    def delete_file(self, request, file_id):
        with self.only_upload(request, file_id):
            self.drop_file(file_id, fence=request.fence)
        return 204, None


class Upload:
    def __init__(self, connection):
        self.connection, self.overtaken, self.done = connection, False, threading.Event()

    def overtake(self):
        self.overtaken = True
        with contextlib.suppress(OSError):
            self.connection.shutdown(socket.SHUT_RD)  # it may wait for bytes
        self.done.wait(15)


def digest_header(value):
    found = re.fullmatch(r"sha-256=([A-Za-z0-9+/]{43}=)", (value or "").strip(), re.IGNORECASE)
    if not found:
        raise Problem("malformed", "An upload needs a header Digest: sha-256=<base64>.")
    return base64.b64decode(found[1]).hex()


def upload_range(value, length):
    """Whether it only asks, the first byte that comes, and the size of the whole."""
    if value is None:
        return False, 0, length
    asks = re.fullmatch(r"bytes \*/(\d{1,15})", value.strip(), re.ASCII)
    if asks and length == 0:
        return True, 0, int(asks[1])
    found = re.fullmatch(r"bytes (\d{1,15})-(\d{1,15})/(\d{1,15})", value.strip(), re.ASCII)
    first, last, size = map(int, found.groups()) if found else (0, 0, 0)
    if not found or last != size - 1 or length != size - first or length <= 0:
        raise Problem("malformed", "The Content-Range does not fit the upload.")
    return False, first, size


def asked_range(first, last, size):
    if not first:  # the last so many
        first, last = max(0, size - int(last)), size - 1
    else:
        first, last = int(first), min(int(last), size - 1) if last else size - 1
    if first >= size:
        raise Problem("wrong-range", "The range lies behind the end of the file.")
    return first, last


# ---- What users of rooms see ----

class Visits:
    """Pages and documents of rooms. Not part of the protocol, but it must keep to what the console said."""

    def __init__(self, region):
        self.region, self.store, self.rooms = region, region.store, region.rooms

    def answer(self, request):
        if not request.target.startswith("/"):  # it would become a part of the host of a redirect
            raise Problem("malformed", "The target of a request begins with a slash.")
        parts = request.path.split("/")[1:]
        documents = len(parts) == 6 and (parts[0], parts[2], parts[4]) == ("rooms", "databases", "documents")
        name = parts[1] if parts[0] == "rooms" and len(parts) > 1 else parts[0]
        route = self.store.one("SELECT targetUrl FROM routes WHERE name = ?", name)
        if route:
            request.send_head(307, {"Location": route["targetUrl"] + request.target, "Content-Length": "0"})
            return None
        if documents:
            return self.document(request, name, decoded(parts[3]), decoded(parts[5]))
        is_name = re.fullmatch("[a-z][a-z0-9]{2,23}", name)
        if is_name and request.method == "GET" and parts in ([name], [name, ""]):
            return self.page(name)
        raise Problem("no-such-call", "There is no such page or call.")

    def page(self, name):
        try:
            room = self.rooms.find(name)
            self.region.check_open(room)
            status, line = 200, "This project room is open."
        except Problem as problem:
            status, line = problem.status if problem.code != "room-damaged" else 503, problem.detail
        page = f"<!doctype html><title>{name}</title><h1>{name}</h1><p>{line}</p>\n"
        return status, page.encode()

    def document(self, request, name, database, document_id):
        if request.method == "PUT":
            request.json()  # kept as it was sent, but it has to be JSON
        self.rooms.find(name)  # no lock for each name that a visitor makes up
        with self.rooms.lock_of(name):  # a lock or suspension waits for this write, or it waits for them
            room = self.rooms.find(name)
            self.check_user(request, room)
            row = self.rooms.database(room, database)
            if not row:
                raise Problem("database-unknown", f"The project room has no database {database}.")
            if not row["documents"]:
                raise Problem("no-documents", "This database holds no documents.")
            if request.method in ("PUT", "DELETE"):
                self.rooms.check_writable(room, None)
            with contextlib.closing(open_documents(self.store.path(row["file"]))) as db:
                return self.use_document(request, db, document_id)

    def use_document(self, request, db, document_id):
        method = request.method
        found = db.execute("SELECT body FROM documents WHERE id = ?", (document_id,)).fetchone()
        if method == "GET":
            if not found:
                raise Problem("document-unknown", "The database has no such document.")
            return 200, found[0].encode()
        if method not in ("PUT", "DELETE"):
            raise Problem("no-such-call", "There is no such call for documents.")
        if method == "PUT":
            self.store.need_space(2 * MIB)
        changed = now_text()
        db.execute("BEGIN IMMEDIATE")
        if method == "PUT":
            db.execute("REPLACE INTO documents VALUES (?, ?, ?)", (document_id, request.text, changed))
        else:
            db.execute("DELETE FROM documents WHERE id = ?", (document_id,))
        db.execute("REPLACE INTO about VALUES ('changedAt', ?)", (changed,))
        db.execute("COMMIT")
        return (204, None) if method == "DELETE" else (200, {"id": document_id, "changedAt": changed})

    def check_user(self, request, room):
        kind, _, token = (request.headers.get("Authorization") or "").partition(" ")
        now, mark = time.time(), hashlib.sha256(token.strip().encode("utf-8", "replace")).hexdigest()
        session = self.store.one(
            "SELECT * FROM sessions WHERE tokenHash = ? AND content = ? AND lastActiveAt > ?",
            mark, room["content"], now - Region.USER_SESSION)
        if kind.lower() != "bearer" or not session:
            raise Problem("signed-out", "The session is missing, unknown or over.")
        self.region.check_open(room)
        if session["lastActiveAt"] < now - 60:
            with contextlib.suppress(sqlite3.Error), self.store.change() as db:  # reading goes on on a full disk
                db.execute("UPDATE sessions SET lastActiveAt = ? WHERE id = ?", (now, session["id"]))


def decoded(part):
    try:
        return urllib.parse.unquote(part, errors="strict")
    except UnicodeError:
        raise Problem("malformed", "A part of the path is not UTF-8.")


# ---- HTTP ----

class Body:
    """The body of a request; chunks are not announced in length."""

    def __init__(self, file, headers):
        self.file = file
        coding, lengths = headers.get("Transfer-Encoding"), headers.get_all("Content-Length", [])
        numbers = all(re.fullmatch(r"\d{1,15}", length, re.ASCII) for length in lengths)
        if len(set(lengths)) > 1 or (coding and lengths) or not numbers:
            raise Problem("malformed", "The length of the body is not clear.")
        self.length = int(lengths[0]) if lengths else None
        self.chunked = bool(coding)
        self.left = 0 if self.chunked else self.length or 0
        self.watched_since, self.watched_bytes = time.monotonic(), 0
        self.ended = not self.chunked and not self.left

    def read(self, most):
        if self.chunked and not self.left and not self.ended:
            self.next_chunk()
        block = self.file.read1(min(most, self.left)) if self.left else b""
        self.left -= len(block)
        self.check_pace(len(block))
        if not self.left and not self.chunked:
            self.ended = True
        elif not self.left and block:
            self.file.readline(3)
        return block

    def check_pace(self, size):
        self.watched_bytes += size
        if time.monotonic() > self.watched_since + 600:
            if self.watched_bytes < 600_000:
                raise Problem("too-slow", "The upload brought less than 600 kB in ten minutes.")
            self.watched_since, self.watched_bytes = time.monotonic(), 0

    def next_chunk(self):
        line = self.file.readline(100).split(b";")[0].strip()
        if not re.fullmatch(rb"[0-9a-fA-F]{1,12}", line):
            raise ConnectionError("the body broke off")
        self.left = int(line, 16)
        if not self.left:
            while self.file.readline(4096).strip():
                pass
            self.ended = True


class Request(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version, sys_version = "region", ""
    timeout = 30
    disable_nagle_algorithm = True
    wbufsize = 65536
    region = visits = None

    def do(self):
        self.method, self.target = self.command, self.path
        self.path, _, query = self.target.partition("?")
        self.body, self.fence, self.answered = None, None, False
        try:
            self.body = Body(self.rfile, self.headers)
            self.query = dict(urllib.parse.parse_qsl(query, keep_blank_values=True))
            self.network = network_of(self.client_address[0])
            answer = self.protocol() if self.path.startswith(BASE) else self.visits.answer(self)
            if answer:
                self.send(*answer)
        except (ConnectionError, TimeoutError):
            self.close_connection = True
        except Exception as error:
            problem = as_problem(error)
            if self.answered:
                self.close_connection = True
            else:
                self.send(problem.status, problem.body(), "application/problem+json")
        self.settle()

    do_GET = do_PUT = do_POST = do_PATCH = do_DELETE = do

    def protocol(self):
        parts, found = self.path[len(BASE):].split("/"), None
        for method, pattern, function in CALLS:
            if method == self.method and len(pattern) == len(parts) and all(
                    known == part or known[0] == "{" for known, part in zip(pattern, parts)):
                found = (pattern, function)
        if not found or found[1] is not Region.sign_in:
            self.region.check_session(self)
        if not found:
            raise Problem("no-such-call", "This region has no such call.")
        values = [PATH_SHAPES[known](decoded(part), "The path") for known, part in zip(found[0], parts)
                  if known[0] == "{"]
        if self.method != "GET":
            self.fence = fence_of(self.headers)
        return found[1](self.region, self, *values)

    def media_type(self):
        return (self.headers.get("Content-Type") or "").split(";")[0].strip().lower()

    def json(self, shape=None):
        if self.media_type() != "application/json":
            raise Problem("wrong-media-type", "This call needs the Content-Type application/json.")
        raw = bytearray()
        while not self.body.ended:
            block = self.body.read(65536)
            if not block and not self.body.ended:
                raise ConnectionError("the body broke off")
            raw += block
            if len(raw) > MIB or (self.body.length or 0) > MIB:
                raise Problem("too-large", "The body is larger than 1 MiB.")
        try:
            self.text = raw.decode("utf-8")
            value = json.loads(self.text, parse_constant=lambda name: int("no"))
            json.dumps(value, ensure_ascii=False).encode("utf-8")  # no half characters
        except (ValueError, RecursionError):
            raise Problem("malformed", "The body is no JSON.")
        return shape(value, "") if shape else value

    def send_head(self, status, headers):
        self.answered = True
        self.send_response_only(status)
        for name, value in {"Date": self.date_time_string(), **headers}.items():
            self.send_header(name, value)
        if self.body is None or not self.body.ended:
            self.close_connection = True
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.flush()

    def send(self, status, value, kind="application/json"):
        raw = value
        if isinstance(value, bytes):
            kind = "application/json" if not value.startswith(b"<!doctype") else "text/html; charset=utf-8"
        elif value is not None:
            raw = compact(value).encode("utf-8")
        headers = {"Content-Type": kind, "Content-Length": str(len(raw))} if raw is not None else {}
        with contextlib.suppress(OSError):
            self.send_head(status, headers)
            self.wfile.write(raw or b"")
            self.wfile.flush()

    def settle(self):
        """A client that is still sending must be able to read the answer: what it sends is read for a while."""
        if not self.close_connection or self.body is None or self.body.ended:
            return
        with contextlib.suppress(OSError):
            self.connection.shutdown(socket.SHUT_WR)
            self.connection.settimeout(2)
            until = time.monotonic() + 30
            while time.monotonic() < until and self.rfile.read1(MIB):
                pass

    def handle_expect_100(self):
        super().handle_expect_100()
        self.wfile.flush()
        return True

    def send_error(self, code, message=None, explain=None):  # of http.server: what is no HTTP
        self.close_connection, self.body, self.request_version = True, None, "HTTP/1.1"
        self.send(400, Problem("malformed", "The request cannot be read.").body(), "application/problem+json")

    def log_message(self, *_):
        pass


def network_of(host):
    number = ipaddress.ip_address(host.split("%")[0])
    number = getattr(number, "ipv4_mapped", None) or number
    return str(number) if number.version == 4 else str(ipaddress.ip_network(f"{number}/64", strict=False))


def fence_of(headers):
    operation, fence = headers.get("roomkeeper-operation"), headers.get("roomkeeper-fence")
    if operation is None and fence is None:
        return None
    if operation is None or fence is None or not 1 <= len(operation) <= 200 or not re.fullmatch(
            r"\d{1,15}", fence, re.ASCII):
        raise Problem("invalid-input", "roomkeeper-operation and roomkeeper-fence do not have their form.")
    return operation, int(fence)


class Server(http.server.ThreadingHTTPServer):
    request_queue_size = 256
    daemon_threads = True

    def handle_error(self, request, client_address):
        if not isinstance(sys.exc_info()[1], OSError):
            traceback.print_exc()


# ---- Start and end ----

def setting(name, default, shape, takes):
    value = os.environ.get(name) or default
    made = shape(value) if value is not None else None
    if made is None:
        sys.exit(f"{name} has to be set: {takes}." if value is None else f"{name} takes {takes}.")
    return made


def number_setting(low, high):
    return lambda value: int(value) if re.fullmatch(r"\d{1,6}", value, re.ASCII) and low <= int(
        value) <= high else None


def products_setting(value):
    products = [part.strip() for part in value.split(",")]
    return products if set(products) <= {"ARIS", "MINING", "ENTERPRISE"} else None


def read_settings():
    return {
        "port": setting("REGION_PORT", "9001", number_setting(0, 65535), "a number from 0 to 65535"),
        "host": setting("REGION_HOST", "127.0.0.1", str, "an address"),
        "data_dir": setting("REGION_DATA_DIR", "region-data", str, "a folder"),
        "name": setting("REGION_NAME", "region", lambda v: v if len(v) <= 100 else None,
                        "a text of at most 100 characters"),
        "user": setting("REGION_USER", "superuser", str, "a name"),
        "password": setting("REGION_PASSWORD", None, str, "the password of the superuser"),
        "system_password": setting("REGION_SYSTEM_PASSWORD", None, str, "the password for updates"),
        "products": setting("REGION_PRODUCTS", "ARIS,MINING,ENTERPRISE", products_setting,
                            "a comma-joined list of ARIS, MINING, ENTERPRISE"),
        "check_seconds": setting("REGION_CHECK_SECONDS", "60", number_setting(1, 99999), "a number of seconds"),
    }


def main():
    settings = read_settings()
    region = Request.region = Region(settings)
    Request.visits = Visits(region)
    Server.address_family = socket.AF_INET6 if ":" in settings["host"] else socket.AF_INET
    try:
        server = Server((settings["host"], settings["port"]), Request)
    except OSError as error:
        sys.exit(f"REGION_HOST and REGION_PORT: cannot listen there: {error.strerror}.")
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: threading.Thread(target=server.shutdown).start())
    host = f"[{settings['host']}]" if ":" in settings["host"] else settings["host"]
    print(json.dumps({"listening": f"http://{host}:{server.server_address[1]}"}), flush=True)
    server.serve_forever()
    server.server_close()
    region.jobs.close()
    with region.store.lock:  # the change under way ends first
        region.store.db.close()
        os._exit(0)


if __name__ == "__main__":
    child_main() if sys.argv[1:] == ["--child"] else main()
