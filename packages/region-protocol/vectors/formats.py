"""Writes the formats of docs/region/formats.md with Python's standard library and libcrypto, from that page alone."""
import ctypes
import ctypes.util
import gzip
import hashlib
import json
import math
import os
import sqlite3
import struct
import tempfile
import unicodedata
import zlib


def database(sql, rows=(), page_size=512, encoding='UTF-8', later=''):
    """The bytes of a SQLite file. `rows`: (statement, values). `later`: statements that may write the schema, parts apart by ---."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'file')
        connection = sqlite3.connect(path, isolation_level=None)
        connection.execute(f"PRAGMA encoding = '{encoding}'")
        connection.execute(f'PRAGMA page_size = {page_size}')
        connection.executescript(f'BEGIN; {sql}; COMMIT;')
        connection.execute('BEGIN')
        for statement, values in rows:
            connection.execute(statement, values)
        connection.execute('COMMIT')
        connection.close()
        for each in filter(None, later.split('---')):
            # A connection of its own, so that what was written into the schema counts for the next.
            connection = sqlite3.connect(path, isolation_level=None)
            connection.execute('PRAGMA writable_schema = ON')
            connection.executescript(each)
            connection.close()
        with open(path, 'rb') as file:
            content = bytearray(file.read())
    # The version of the SQLite that wrote the file last: the same whichever Python makes the vectors.
    content[96:100] = struct.pack('>I', 3040000)
    return bytes(content)


def reading(content, work):
    """Opens the bytes of a SQLite file, gives texts as bytes, and returns what the work returns."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'file')
        # Without companions a database in WAL mode is opened with the other mode in its header.
        plain = bytearray(content)
        plain[18:20] = b'\x01\x01'
        with open(path, 'wb') as file:
            file.write(plain)
        connection = sqlite3.connect(path)
        connection.text_factory = bytes
        try:
            return work(connection)
        finally:
            connection.close()


def number_text(value):
    """As ECMAScript's Number::toString."""
    if math.isinf(value):
        return 'Infinity' if value > 0 else '-Infinity'
    if value == 0:
        return '0'
    if value < 0:
        return '-' + number_text(-value)
    mantissa, exponent = f'{value!r}e0'.split('e')[:2]
    whole, _, fraction = mantissa.partition('.')
    digits = (whole + fraction).lstrip('0')
    point = len(whole) + int(exponent) - (len(whole + fraction) - len(digits))
    digits = digits.rstrip('0')
    count = len(digits)
    if count <= point <= 21:
        return digits + '0' * (point - count)
    if 0 < point <= 21:
        return f'{digits[:point]}.{digits[point:]}'
    if -6 < point <= 0:
        return '0.' + '0' * -point + digits
    tail = f'.{digits[1:]}' if count > 1 else ''
    return f'{digits[0]}{tail}e{"+" if point > 0 else "-"}{abs(point - 1)}'


def text_of(raw):
    return raw.decode('utf-8', 'replace')


def tagged(value):
    if value is None:
        return None
    if isinstance(value, int):
        return f'i{value}'
    if isinstance(value, float):
        return f'r{number_text(value)}'
    return value


def line(values):
    return json.dumps(values, ensure_ascii=False, separators=(',', ':')) + '\n'


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


def tables_of(content, without=()):
    """The lines of a database's tables."""

    def read(connection):
        out = []
        found = connection.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'table' ORDER BY name").fetchall()
        for raw, sql in found:
            name = text_of(raw)
            if name.lower().startswith('sqlite_') or sql.upper().startswith(b'CREATE VIRTUAL') or name in without:
                continue
            info = connection.execute('SELECT name, pk FROM pragma_table_info(?) ORDER BY name', (name,)).fetchall()
            columns = [text_of(column) for column, _ in info]
            key = [text_of(column) for column, place in sorted(info, key=lambda each: each[1]) if place > 0]
            out.append(line(['table', name, *columns]))
            order = ', '.join(f'{quoted(column)} COLLATE BINARY' for column in key or columns)
            # Texts and BLOBs are both bytes here, so the storage class comes beside each value.
            wanted = ', '.join(f'{quoted(column)}, typeof({quoted(column)})' for column in columns)
            for row in connection.execute(f'SELECT {wanted} FROM {quoted(name)} ORDER BY {order}'):
                out.append(line([
                    f't{text_of(value)}' if kind == b'text' else f'b{value.hex()}' if kind == b'blob' else tagged(value)
                    for value, kind in zip(row[::2], row[1::2])
                ]))
        return out

    return reading(content, read)


def utf16_order(name):
    return name.encode('utf-16-be')


def lines_of_room(system, databases):
    out = [line(['system']), *tables_of(system, ('sessions', 'backups'))]
    for name in sorted(databases, key=utf16_order):
        out += [line(['database', name]), *tables_of(databases[name])]
    return out


def lines_of_product(databases):
    return [each for name in sorted(databases, key=utf16_order) for each in tables_of(databases[name])]


def sha256(content):
    return hashlib.sha256(content).hexdigest()


def digest(lines):
    return sha256(''.join(lines).encode())


class Entry:
    """An entry of a .zip; what is given beside name and content is written whether it is true or not."""

    def __init__(self, name, content=b'', method=8, flags=0, mode=0o100600, size=None, extra=b'', streamed=False,
                 zip64=False):
        self.name = name if isinstance(name, bytes) else name.encode()
        self.method, self.mode, self.extra, self.streamed, self.zip64 = method, mode, extra, streamed, zip64
        self.flags = flags | (0 if self.name.isascii() else 1 << 11) | (1 << 3 if streamed else 0)
        self.crc = zlib.crc32(content)
        packer = zlib.compressobj(9, zlib.DEFLATED, -15)
        self.packed = packer.compress(content) + packer.flush() if method == 8 else content
        self.size = len(content) if size is None else size

    def header(self, central, offset=0):
        known = central or not self.streamed
        sizes = [len(self.packed) if known else 0, self.size if known else 0]
        extra = self.extra
        if self.zip64:
            extra += struct.pack('<HHQQ', 1, 16, sizes[1], sizes[0])
            sizes = [0xffffffff, 0xffffffff]
        start = struct.pack('<HHHHHIIIHH', 45 if self.zip64 else 20, self.flags, self.method, 0, 0x21,
                            self.crc if known else 0, *sizes, len(self.name), len(extra))
        if not central:
            return b'PK\x03\x04' + start + self.name + extra
        place = struct.pack('<HHHII', 0, 0, 0, self.mode << 16, offset)
        return b'PK\x01\x02' + struct.pack('<H', 3 << 8 | 45) + start + place + self.name + extra


def zip_of(entries, overlapping=()):
    """`overlapping`: entries that only the directory has, and that point at the first one."""
    content, directory = b'', b''
    for entry in entries:
        offset = len(content)
        content += entry.header(False) + entry.packed
        if entry.streamed:
            content += b'PK\x07\x08' + struct.pack('<III', entry.crc, len(entry.packed), entry.size)
        directory += entry.header(True, offset)
    for entry in overlapping:
        directory += entry.header(True, 0)
    count = len(entries) + len(overlapping)
    end = struct.pack('<HHHHIIH', 0, 0, count, count, len(directory), len(content), 0)
    return content + directory + b'PK\x05\x06' + end


def manifest_of(base, files):
    listed = [{'path': path, 'size': len(content), 'sha256': sha256(content)} for path, content in files.items()]
    return {**base, 'files': listed}


def json_bytes(value):
    return json.dumps(value, ensure_ascii=False, separators=(',', ':')).encode()


def gcm(key, nonce, associated, plain):
    """Ciphertext and tag of AES-256-GCM."""
    crypto = ctypes.CDLL(ctypes.util.find_library('crypto'))
    crypto.EVP_CIPHER_CTX_new.restype = crypto.EVP_aes_256_gcm.restype = ctypes.c_void_p
    context = ctypes.c_void_p(crypto.EVP_CIPHER_CTX_new())
    cipher = ctypes.c_void_p(crypto.EVP_aes_256_gcm())
    written, out, tag = ctypes.c_int(), ctypes.create_string_buffer(len(plain) + 16), ctypes.create_string_buffer(16)
    steps = [
        crypto.EVP_EncryptInit_ex(context, cipher, None, key, nonce),
        crypto.EVP_EncryptUpdate(context, None, ctypes.byref(written), associated, len(associated)),
        crypto.EVP_EncryptUpdate(context, out, ctypes.byref(written), plain, len(plain)),
        crypto.EVP_EncryptFinal_ex(context, ctypes.create_string_buffer(16), ctypes.byref(written)),
        crypto.EVP_CIPHER_CTX_ctrl(context, 0x10, 16, tag),
    ]
    crypto.EVP_CIPHER_CTX_free(context)
    assert steps == [1] * len(steps)
    return out.raw[:len(plain)] + tag.raw


def packed(content):
    # No time and no system in the header of gzip, whichever Python makes the vectors.
    made = bytearray(gzip.compress(content, 9, mtime=0))
    made[9] = 3
    return bytes(made)


class Export:
    """A database export (.adb) as header and chunks."""

    def __init__(self, stream, password, cost=(10, 8, 1), lengths=(262144,), salt=bytes(range(16))):
        log2_n, r, p = cost
        self.start = b'RKADB\x01' + bytes(cost) + salt
        derived = hashlib.scrypt(unicodedata.normalize('NFC', password).encode(), salt=salt, n=2 ** log2_n, r=r, p=p,
                                 maxmem=256 * r * 2 ** log2_n, dklen=48)
        self.start += derived[32:]
        self.header = self.start + hashlib.sha256(self.start).digest()
        plain, at = [], 0
        for length in lengths:
            if at + length < len(stream):
                plain.append(stream[at:at + length])
                at += length
        plain.append(stream[at:])
        assert max(map(len, plain)) <= 262144
        self.chunks = []
        for number, each in enumerate(plain):
            last = number == len(plain) - 1
            sealed = gcm(derived[:32], number.to_bytes(11, 'big') + bytes([last]), self.header, each)
            self.chunks.append(struct.pack('>I', len(each) | (1 << 31 if last else 0)) + sealed)

    def file(self, header=None, chunks=None):
        return (self.header if header is None else header) + b''.join(self.chunks if chunks is None else chunks)


def with_checksum(start):
    """A header with these bytes 0–40."""
    return start + hashlib.sha256(start).digest()
