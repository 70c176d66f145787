"""
Makes the vectors: `python3 packages/region-protocol/vectors/make.py`. It knows docs/region/formats.md only, and none of
the code of this repository, so that a fault of the code is not in the vectors, too.
"""
import json
import os
import struct

from formats import (Entry, Export, database, digest, json_bytes, line, lines_of_product, lines_of_room, manifest_of,
                     packed, reading, sha256, tables_of, tagged, text_of, with_checksum, zip_of)

folder = os.path.dirname(os.path.abspath(__file__))
room_folder = os.path.join(folder, 'files')
password = 'pa\u0308ss 😀'
index = []

# --- Databases

about = 'CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;'
documents = ('CREATE TABLE documents (id TEXT PRIMARY KEY, body TEXT NOT NULL, changedAt TEXT NOT NULL) '
             'STRICT, WITHOUT ROWID;')
moment = '2026-01-31T09:30:00.000Z'
about_rows = [('INSERT INTO about VALUES (?, ?)', (name, moment)) for name in ('createdAt', 'changedAt')]
put_document = 'INSERT INTO documents VALUES (?, ?, ?)'

empty = database(about + documents, about_rows)
two_documents = [(put_document, ('plan', '{"title":"Ä 😀","parts":[1,2.5,null]}', moment)),
                 (put_document, ('zéro', '-0', moment))]
filled = database(about + documents, about_rows + two_documents)
filled_otherwise = database(documents + about, two_documents[::-1] + about_rows, page_size=1024)

numbers = [0, 1, -1, 2 ** 53 + 1, 2 ** 63 - 1, -2 ** 63, 1.0, -0.0, 0.1, -2.5, 1 / 3, 100.0, 123456789.125, 2.0 ** 53,
           1e-6, 1.5e-7, 1e20, 1e21, 1.25e21, -1e21, 1.7976931348623157e308, 5e-324, float('inf'), float('-inf')]
texts = ['', 'plain', '😀 ä e\u0301 é', 'a "quote" \\ / slash', 'before\0after', ''.join(map(chr, range(1, 32))),
         '\x7f\x80\u2028\u2029\ufeff\uffff', '\ufefffirst', '123', 'null']
no_utf8 = ['ff', '61fe62', 'c3', 'c328', 'e282', 'e28228', 'f09f98', 'f09f9862', 'f0808080', 'eda080', 'edb080', 'c0af',
           'f4908080', '80', '00c3a4ff00', 'efbbbf61']
blobs = [b'', b'\0\xff', b'text', bytes(range(256))]
value_rows = [('INSERT INTO kinds (value) VALUES (?)', (value,)) for value in [None, *numbers, *texts, *blobs]]
value_rows += [('INSERT INTO kinds (value) VALUES (CAST(? AS TEXT))', (bytes.fromhex(raw),)) for raw in no_utf8]
typed = [(1, 2, '3', 4, b'5'), ('1', '2', 3, '4.5', '5'), (1.0, 2, None, -0.0, None), (2 ** 60, 2 ** 60, 1e21, 2 ** 60, 1)]
value_rows += [('INSERT INTO affinities VALUES (?, ?, ?, ?, ?)', row) for row in typed]
values = database('''
  CREATE TABLE kinds (id INTEGER PRIMARY KEY, value);
  CREATE TABLE affinities (i INTEGER, r REAL, t TEXT, n NUMERIC, b BLOB);
''', value_rows)

structures = database('''
  CREATE TABLE keyed (b, a TEXT COLLATE NOCASE, c, PRIMARY KEY (a DESC, b)) WITHOUT ROWID;
  INSERT INTO keyed VALUES (10, 'b', 'x'), (2, 'b', 'x'), (1, 'B', 'x'), (3, 'ä', 'x'), (x'00', 'b', 'x'), ('1', 'b', 'x');
  CREATE TABLE holes (a, b, PRIMARY KEY (b, a));
  INSERT INTO holes VALUES (NULL, NULL), (1, NULL), (NULL, 'x'), (2, NULL), (2.5, NULL);
  CREATE TABLE loose (b, a COLLATE RTRIM, c GENERATED ALWAYS AS (a || b) VIRTUAL, d AS (b + 1) STORED);
  INSERT INTO loose VALUES (1, 'z'), (2, 'a'), (2, 'a'), (1, 'a '), ('1', 'a'), (NULL, x'61'), (1.0, 'z'), (1, 'z');
  CREATE TABLE counted (id INTEGER PRIMARY KEY AUTOINCREMENT, word TEXT);
  CREATE INDEX words ON counted (lower(word)) WHERE word IS NOT NULL;
  INSERT INTO counted (word) VALUES ('one'), ('two'), (NULL); DELETE FROM counted WHERE id = 3;
  CREATE TABLE "line
break" ("a ""quoted"" name", "é", "E", "e2", "😀");
  INSERT INTO "line
break" VALUES (1, 2, 3, 4, 5);
  CREATE TABLE Upper (empty_one); CREATE TABLE "select" ("from", "order"); INSERT INTO "select" VALUES (1, 2);
  CREATE TABLE "äfter" (a); CREATE TABLE strict_table (a ANY, b INT) STRICT;
  INSERT INTO strict_table VALUES ('1', 1), (1, 1);
  CREATE TABLE log (what);
  CREATE TRIGGER logged AFTER INSERT ON loose BEGIN INSERT INTO log VALUES (new.a); END;
  CREATE VIEW seen AS SELECT word FROM counted;
  CREATE VIEW broken AS SELECT * FROM not_there;
  CREATE VIRTUAL TABLE notes USING fts5 (text);
  INSERT INTO notes VALUES ('found by its words');
  ANALYZE;
''')

lookalikes = {
    'lookalike': database(about + documents.replace('body TEXT', 'body  TEXT')),
    'viewed': database(f'{about} CREATE VIEW documents AS SELECT name AS id, value AS body, value AS changedAt FROM about;',
                       about_rows),
    'triggered': database(f'''{about} {documents}
      CREATE TABLE log (id); CREATE TRIGGER logged AFTER INSERT ON documents BEGIN INSERT INTO log VALUES (new.id); END;
    ''', about_rows),
}

utf16 = database('''
  CREATE TABLE words (word, count); CREATE TABLE keyed (word TEXT PRIMARY KEY);
  INSERT INTO words VALUES ('z', 1), ('Ā', 2), ('ab', 3), ('a', 4), ('😀', 5), ('ﬀ', 6);
  INSERT INTO keyed SELECT word FROM words;
  CREATE TABLE "z" (a); CREATE TABLE "Āx" ("z", "Ā");
''', encoding='UTF-16le')

wal = bytearray(database("CREATE TABLE t (a); INSERT INTO t VALUES ('in one file');"))
wal[18:20] = b'\2\2'
long_text = ('ä€😀x' * 6600).encode() + b'\xff\0\xf0\x9f'
long_texts = database('CREATE TABLE t (a);', [('INSERT INTO t VALUES (CAST(? AS TEXT))', (long_text,))], page_size=4096)
index_damaged = database('''
  CREATE TABLE orders (id INTEGER PRIMARY KEY, word TEXT); CREATE INDEX words ON orders (word);
  INSERT INTO orders (word) VALUES ('one'), ('two'), ('three');
''', later='''
  CREATE TABLE kept AS SELECT rootpage FROM sqlite_schema WHERE name = 'words';
  DELETE FROM sqlite_schema WHERE name = 'words'; --- INSERT INTO orders (word) VALUES ('not in the index'); ---
  INSERT INTO sqlite_schema VALUES ('index', 'words', 'orders', (SELECT rootpage FROM kept),
    'CREATE INDEX words ON orders (word)'); --- DROP TABLE kept;
''')
torn = bytearray(values)
torn[1024:3072] = b'\xa5' * 2048
grown = values + bytes(10 * 1024 * 1024)

# --- system.db

system_tables = '''
  CREATE TABLE schema_version (version INTEGER NOT NULL) STRICT;
  CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE licences (
    position INTEGER PRIMARY KEY, licenseKey TEXT NOT NULL, licenseAmount INTEGER NOT NULL, licenseType TEXT NOT NULL
  ) STRICT;
  CREATE TABLE sub_licences (
    position INTEGER PRIMARY KEY, licenseKey TEXT NOT NULL, subLicenseAmount INTEGER NOT NULL, productKey TEXT NOT NULL
  ) STRICT;
  CREATE TABLE users (
    id TEXT PRIMARY KEY, email TEXT NOT NULL UNIQUE COLLATE NOCASE, role TEXT NOT NULL,
    licenseKey TEXT, createdAt TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE sessions (
    id TEXT PRIMARY KEY, userId TEXT NOT NULL REFERENCES users ON DELETE CASCADE, tokenHash TEXT NOT NULL,
    startedAt TEXT NOT NULL, lastActiveAt TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE backups (database TEXT PRIMARY KEY, takenAt TEXT NOT NULL) STRICT, WITHOUT ROWID;
'''
system_indexes = '''
  CREATE UNIQUE INDEX sessions_by_token ON sessions (tokenHash);
  CREATE INDEX sessions_by_user ON sessions (userId);
'''
contacts = {'companyName': 'Vectors & "Söhne" 😀', 'customerFirstName': 'Ada', 'customerLastName': 'Lovelace',
            'customerContactDetails': None, 'ownerEmail': 'owner@vectors.example', 'delegateEmail': None}
licences = [('YAAD', 2, 'NUC'), ('YABD', 5, 'CUC')]
sub_licences = [('YAAD', 20, 'YPMBA')]
users = [('5f0d0c1e-0000-4000-8000-000000000001', 'owner@vectors.example', 'owner', 'YAAD', moment),
         ('5f0d0c1e-0000-4000-8000-000000000002', 'Plain@vectors.example', 'user', None, moment)]


def system(version=2, more='', settings=None):
    settings = settings or {'subMiningType': 'NONE', 'expirationDate': '2099-12-31', 'contacts': contacts}
    rows = [('INSERT INTO schema_version VALUES (?)', (version,))]
    rows += [('INSERT INTO settings VALUES (?, ?)', (name, json_bytes(value).decode()))
             for name, value in settings.items()]
    rows += [('INSERT INTO licences VALUES (?, ?, ?, ?)', (at, *row)) for at, row in enumerate(licences)]
    rows += [('INSERT INTO sub_licences VALUES (?, ?, ?, ?)', (at, *row)) for at, row in enumerate(sub_licences)]
    rows += [('INSERT INTO users VALUES (?, ?, ?, ?, ?)', row) for row in users]
    return database(system_tables + (system_indexes if version > 1 else ''), rows, later=more)


# --- Backups


def base(kind='room', **change):
    return {
        'format': 1, 'kind': kind, 'createdAt': moment, 'room': 'vectors', 'product': 'ARIS', 'edition': 'advanced',
        'schemaVersion': 2,
        'licences': [dict(zip(('licenseKey', 'licenseAmount', 'licenseType'), row)) for row in licences],
        'subLicences': [dict(zip(('licenseKey', 'subLicenseAmount', 'productKey'), row)) for row in sub_licences],
        'subMiningType': 'NONE', 'expirationDate': '2099-12-31', 'contacts': contacts, **change,
    }


def paths(databases, system_db=None):
    own = {} if system_db is None else {'system.db': system_db}
    return {**own, **{f'databases/{name}.db': bytes(content) for name, content in databases.items()}}


def backup(manifest, files, more=()):
    entries = [Entry(path, content) for path, content in files.items()]
    return zip_of([*entries, Entry('manifest.json', json_bytes(manifest)), *more])


def write(name, content):
    with open(os.path.join(room_folder, name), 'wb') as file:
        file.write(content)


def add(file, content, kind, about_it, **expected):
    write(file, content)
    index.append({'file': f'files/{file}', 'kind': kind, 'about': about_it, 'size': len(content),
                  'sha256': sha256(content), **expected})


def read_back(databases, wanted):
    """What queries give: schemas, and values with BLOBs and texts that no reader may change as hexadecimal."""
    out = []
    for name, content in databases.items():
        queries = ['SELECT type, name, sql FROM sqlite_schema ORDER BY type, name', *wanted.get(name, [])]
        for sql in queries:
            rows = reading(bytes(content), lambda connection: connection.execute(sql).fetchall())
            out.append({'database': name, 'sql': sql, 'rows': [
                [f't{text_of(value)}' if isinstance(value, bytes) else tagged(value) for value in row] for row in rows]})
    return out


def with_lines(file, lines):
    write(file, ''.join(lines).encode())
    return {'digest': digest(lines), 'lines': f'files/{file}'}


reads = {
    'main': ['SELECT id, body, changedAt FROM documents ORDER BY id'],
    'values': ["SELECT id, typeof(value), CASE WHEN typeof(value) IN ('text', 'blob') THEN hex(value) ELSE value END "
               'FROM kinds ORDER BY id',
               'SELECT rowid, typeof(i), typeof(r), typeof(t), typeof(n), typeof(b) FROM affinities ORDER BY rowid'],
    'structures': ['SELECT word FROM seen ORDER BY word', 'SELECT a, b, c, d FROM loose WHERE b = 2',
                   "SELECT text FROM notes WHERE notes MATCH 'words'", 'SELECT seq FROM sqlite_sequence',
                   'SELECT count(*) FROM log'],
    'utf16': ['PRAGMA encoding', 'SELECT word FROM words ORDER BY rowid'],
    'long': ['SELECT length(CAST(a AS BLOB)), hex(substr(CAST(a AS BLOB), -8)) FROM t'],
    'wal': ['SELECT a FROM t'],
}


def good_backup(file, about_it, databases, system_db=None, content=None, **expected):
    """A backup of kind room with a system.db, else of kind product."""
    files = paths(databases, system_db)
    kind = 'product' if system_db is None else 'room'
    lines = lines_of_product(databases) if system_db is None else lines_of_room(system_db, databases)
    version = 2 if system_db is None else reading(
        system_db, lambda connection: connection.execute('SELECT version FROM schema_version').fetchone()[0])
    made = content or backup(manifest_of(base(kind, schemaVersion=version), files), files)
    add(file, made, f'{kind} backup', about_it, files=len(files), bytes=sum(map(len, files.values())),
        databases=sorted(databases), **with_lines(file.replace('.zip', '.lines'), lines),
        reads=read_back(databases, reads), **expected)


def make_good():
    # 𝒳 is before ａ in UTF-16, and behind it in UTF-8.
    room = {'main': filled, 'values': values, 'structures': structures, 'utf16': utf16, 'wal': wal, 'long': long_texts,
            '𝒳 (2)': empty, 'ａ': filled, **lookalikes}
    good_backup('room.zip', 'a room with every kind of value and structure', room, system())
    small = {'main': empty, 'lookalike': lookalikes['lookalike']}
    good_backup('small.zip', 'a small room of schema version 1, whose main is empty', small, system(1))
    files = paths({'main': filled}, system())
    manifest = Entry('my room/manifest.json', json_bytes(manifest_of(base(futureField=True), files)), streamed=True)
    handled = zip_of([
        Entry('my room/', method=0, mode=0o40755), manifest,
        *[Entry(f'my room/{path}', content, method=index * 8, streamed=index == 1, zip64=index == 0)
          for index, (path, content) in enumerate(files.items())],
        Entry('my room/.DS_Store', b'left out'), Entry('__MACOSX/my room/._system.db', b'left out'),
    ]) + b'bytes behind the end'
    good_backup('handled.zip', 'in a folder, with files of desktops, ZIP64 fields, sizes behind the content, and bytes '
                'behind the end', {'main': filled}, system(), handled)
    good_backup('index.zip', 'a database of which only an index is damaged', {'main': empty, 'orders': index_damaged},
                system(), rebuilt=['orders'])
    added = {'main': filled, 'added': values}
    room_digest = digest(lines_of_room(system(1), {**small, **added}))
    good_backup('product.zip', 'databases that join those of small.zip, whose main is empty and gives way', added,
                into='small.zip', roomDigest=room_digest)
    same = {'main': filled_otherwise, 'more': values}
    good_backup('product-same.zip', 'joins handled.zip, whose main has the same rows in another file', same,
                into='handled.zip', roomDigest=digest(lines_of_room(system(), {'main': filled, 'more': values})))

    def good_export(file, about_it, content, made):
        rest = {'main': empty, 'lookalike': lookalikes['lookalike'], 'imported': content}
        name = next(name for name, each in [*room.items(), ('', content)] if bytes(each) == bytes(content))
        add(file, made, 'export', about_it, password=password,
            **with_lines(file.replace('.adb', '.lines'), tables_of(bytes(content))), into='small.zip',
            roomDigest=digest(lines_of_room(system(1), rest)),
            reads=read_back({'imported': content}, {'imported': reads.get(name, [])}))

    good_export('values.adb', 'every kind of value, with the cost that regions write', values,
                Export(packed(values), password, (17, 8, 1)).file())
    good_export('structures.adb', 'every kind of structure, in chunks of many lengths, also of none', structures,
                Export(packed(structures), password, lengths=(1, 0, 100, 7, 1024)).file())
    good_export('wal.adb', 'a database that was packed in WAL mode', wal,
                Export(packed(bytes(wal)), password, (10, 1, 1)).file())


# --- What is refused


def refused(name, code, content, about_it, **expected):
    kind = 'export' if name.endswith('.adb') else 'refused backup'
    add(f'refused-{name}', content, kind, about_it, code=code, **expected)


def make_refused_backups():
    files = paths({'main': filled}, system())
    manifest = manifest_of(base(), files)

    def changed(name, code, about_it, files=files, manifest=None, more=(), **expected):
        refused(name, code, backup(manifest or manifest_of(base(), files), files, more), about_it, **expected)

    for name, path in {'climbing': '../climbed.db', 'climbing-inside': 'databases/../../climbed.db',
                       'absolute': '/tmp/climbed.db', 'backslash': 'databases\\..\\..\\climbed.db'}.items():
        changed(f'{name}.zip', 'damaged-file', f'an entry {path}, which the manifest does not list',
                more=[Entry(path, filled)])
        changed(f'{name}-listed.zip', 'damaged-file', f'an entry {path}, which the manifest lists',
                {**files, path: filled})
    only = {'dots-name': '..', 'slash-name': 'a/b'}
    for name, database_name in only.items():
        listed = manifest_of(base(), {**files, f'databases/{database_name}.db': filled})
        changed(f'{name}.zip', 'wrong-content', f'the manifest lists databases/{database_name}.db, which is no name',
                {**files, f'databases/{database_name}.db': filled}, listed)
    changed('doubled.zip', 'wrong-content', 'the entry databases/main.db twice, with different contents',
            more=[Entry('databases/main.db', empty)])
    changed('link.zip', 'wrong-content', 'databases/linked.db is a symbolic link',
            manifest=manifest_of(base(), {**files, 'databases/linked.db': b'/etc/passwd'}),
            more=[Entry('databases/linked.db', b'/etc/passwd', method=0, mode=0o120777)])
    zeros = bytes(10 * 1024 * 1024)
    changed('bomb.zip', 'wrong-content', 'an entry that unpacks to more than a thousandfold',
            {**files, 'databases/bomb.db': zeros})
    changed('bomb-lying.zip', 'damaged-file', 'an entry that unpacks to more than directory and manifest say',
            manifest=manifest_of(base(), {**files, 'databases/bomb.db': zeros[:4096]}),
            more=[Entry('databases/bomb.db', zeros, size=4096)])
    copies = [f'databases/copy{number}.db' for number in range(200)]
    listed = {'databases/copy.db': values, **{path: values for path in copies}}
    overlapping = [Entry(path, values) for path in copies]
    content = [Entry('databases/copy.db', values), Entry('system.db', files['system.db']),
               Entry('manifest.json', json_bytes(manifest_of(base(), {**listed, 'system.db': files['system.db']})))]
    refused('overlapping.zip', 'wrong-content', zip_of(content, overlapping), '201 entries that share one content')
    changed('encrypted.zip', 'wrong-content', 'an entry that says that it is encrypted',
            manifest=manifest_of(base(), {**files, 'databases/secret.db': filled}),
            more=[Entry('databases/secret.db', filled, flags=1)])
    changed('method.zip', 'wrong-content', 'an entry that is packed with method 12 (bzip2)',
            manifest=manifest_of(base(), {**files, 'databases/other.db': filled}),
            more=[Entry('databases/other.db', filled, method=12)])
    changed('fields.zip', 'wrong-content', 'an entry with 4,200 bytes of extra fields',
            manifest=manifest_of(base(), {**files, 'databases/more.db': filled}),
            more=[Entry('databases/more.db', filled, extra=struct.pack('<HH', 0xcafe, 4196) + bytes(4196))])

    def listing(name, code, about_it, **change):
        listed = [{**each, **(change if each['path'] == 'databases/main.db' else {})} for each in manifest['files']]
        changed(name, code, about_it, manifest={**manifest, 'files': listed})

    listing('sha256.zip', 'damaged-file', 'the manifest has another SHA-256 of databases/main.db', sha256='0' * 64)
    listing('size.zip', 'damaged-file', 'the manifest has another size of databases/main.db', size=len(filled) + 512)
    altered = bytearray(filled)
    altered[-1] ^= 1
    changed('altered.zip', 'damaged-file', 'databases/main.db is another than that of the manifest',
            {**files, 'databases/main.db': bytes(altered)}, manifest)
    for name, about_it, change in [
        ('format', 'the manifest has format 2', {'format': 2}), ('kind', 'a kind that is none', {'kind': 'other'}),
        ('edition', 'an edition that is none', {'edition': 'altered'}),
        ('licences', 'an amount below 0', {'licences': [{'licenseKey': 'YAAD', 'licenseAmount': -1, 'licenseType': 'NUC'}]}),
        ('schema-0', 'schema version 0', {'schemaVersion': 0}), ('no-files', 'a list of files that is none', {'files': None}),
    ]:
        changed(f'manifest-{name}.zip', 'wrong-content', about_it, manifest={**manifest, **change})
    packed_files = [Entry(path, content) for path, content in files.items()]
    refused('manifest-text.zip', 'wrong-content', zip_of([*packed_files, Entry('manifest.json', b'{"format":1,')]),
            'a manifest that is no JSON')
    spaces = b' ' * (8 * 1024 * 1024) + json_bytes(manifest)
    refused('manifest-large.zip', 'wrong-content', zip_of([*packed_files, Entry('manifest.json', spaces)]),
            'a manifest of more than 8 MiB')
    refused('no-manifest.zip', 'wrong-content', zip_of(packed_files), 'no manifest')
    changed('not-listed.zip', 'wrong-content', 'a database that the manifest does not list',
            more=[Entry('databases/more.db', filled)])
    changed('missing.zip', 'wrong-content', 'a database that is listed and not there',
            manifest=manifest_of(base(), {**files, 'databases/more.db': filled}))
    changed('listed-twice.zip', 'wrong-content', 'a database that is listed twice',
            manifest={**manifest, 'files': [*manifest['files'], manifest['files'][1]]})
    changed('other-file.zip', 'wrong-content', 'a listed file that is no database', {**files, 'notes.txt': b'notes'})
    changed('case.zip', 'wrong-content', 'two databases whose names differ in case only',
            {**files, 'databases/MAIN.db': filled})
    changed('no-system.zip', 'wrong-content', 'a backup of a room without system.db', paths({'main': filled}))
    changed('product-system.zip', 'wrong-content', 'a backup of kind product with system.db',
            manifest=manifest_of(base('product'), files))
    whole = backup(manifest, files)
    refused('cut.zip', 'damaged-file', whole[:-100], 'without its last 100 bytes')
    refused('half.zip', 'damaged-file', whole[:len(whole) // 2], 'the first half of a backup')
    refused('text.zip', 'damaged-file', b'This is no archive.\n' * 50, 'a text')
    torn_entry = Entry('databases/torn.db', filled)
    torn_entry.packed = torn_entry.packed[:20] + b'\xff' * 20 + torn_entry.packed[40:]
    changed('deflate.zip', 'damaged-file', 'an entry that cannot be unpacked',
            manifest=manifest_of(base(), {**files, 'databases/torn.db': filled}), more=[torn_entry])

    for name, about_it, content in [('text', 'a text', b'no database at all. ' * 60), ('nothing', 'an empty file', b''),
                                    ('torn', 'a database with damaged pages', bytes(torn)),
                                    ('short', 'a database without its last pages', values[:len(values) // 1024 * 512])]:
        changed(f'database-{name}.zip', 'wrong-content', f'{about_it} in place of a database',
                {**files, 'databases/more.db': content})
    long_schema = database(f"CREATE VIEW long AS SELECT '{'x' * (17 * 1024 * 1024)}';", page_size=65536)
    changed('database-schema.zip', 'wrong-content', 'a database with 17 MiB of SQL in its schema',
            {**files, 'databases/more.db': long_schema})
    for name, about_it, more in [
        ('table', 'a table more', 'CREATE TABLE more (a);'), ('column', 'a column more', 'ALTER TABLE licences ADD x TEXT;'),
        ('no-table', 'a table less', 'DROP TABLE backups;'),
        ('view', 'a view in place of a table', '''DROP TABLE sub_licences; CREATE VIEW sub_licences AS SELECT
          1 AS position, '' AS licenseKey, 1 AS subLicenseAmount, '' AS productKey;
          CREATE TRIGGER taken INSTEAD OF INSERT ON sub_licences BEGIN SELECT 1; END;'''),
    ]:
        changed(f'system-{name}.zip', 'wrong-content', f'a system.db with {about_it}',
                {**files, 'system.db': system(more=more)})
    changed('system-settings.zip', 'wrong-content', 'a system.db without the setting contacts',
            {**files, 'system.db': system(settings={'subMiningType': 'NONE', 'expirationDate': None})})
    newer = {**files, 'system.db': system(3)}
    changed('schema-3.zip', 'schema-too-new', 'schema version 3', newer, manifest_of(base(schemaVersion=3), newer))
    changed('schema-hidden.zip', 'wrong-content', 'schema version 3 in system.db, 2 in the manifest', newer)
    changed('product-differs.zip', 'product-differs', 'a backup of a room of MINING',
            manifest=manifest_of(base(product='MINING'), files))
    other = paths({'added': filled})
    changed('product-backup-differs.zip', 'product-differs', 'a backup of kind product from a room of MINING', other,
            manifest_of(base('product', product='MINING'), other))
    for name, about_it, databases in [
        ('exists', 'a main with other documents', {'added': filled, 'main': database(about + documents, about_rows + [
            (put_document, ('plan', '{}', moment))])}),
        ('exists-case', 'MAIN with other documents', {'MAIN': values}),
    ]:
        other = paths(databases)
        changed(f'{name}.zip', 'database-exists', f'joins handled.zip with {about_it}', other,
                manifest_of(base('product'), other), into='handled.zip')
    other = paths({'lookalike': filled})
    changed('exists-lookalike.zip', 'database-exists', 'joins small.zip, whose database only looks like an empty one',
            other, manifest_of(base('product'), other), into='small.zip')


def make_refused_exports():
    def changed(name, code, content, about_it, own_password=password):
        refused(f'{name}.adb', code, content, about_it, password=own_password)

    made = Export(packed(values), password, lengths=(200, 200, 200))
    other = Export(packed(values), password, lengths=(200, 200, 200), salt=bytes(range(16, 32)))
    chunks, whole = made.chunks, made.file()
    altered = bytearray(whole)
    altered[73 + 4 + 220 + 50] ^= 1
    changed('altered', 'damaged-file', bytes(altered), 'a bit of the second chunk is altered')
    tag = bytearray(whole)
    tag[-1] ^= 1
    changed('tag', 'damaged-file', bytes(tag), 'a bit of the last tag is altered')
    changed('reordered', 'damaged-file', made.file(chunks=[chunks[1], chunks[0], *chunks[2:]]), 'two chunks exchanged')
    changed('doubled', 'damaged-file', made.file(chunks=[chunks[0], *chunks]), 'the first chunk twice')
    changed('left-out', 'damaged-file', made.file(chunks=[chunks[0], *chunks[2:]]), 'the second chunk is left out')
    changed('cut', 'damaged-file', whole[:-50], 'without its last 50 bytes')
    changed('cut-at-chunk', 'damaged-file', made.file(chunks=chunks[:-1]), 'without its last chunk')
    early = struct.pack('>I', 200 | 1 << 31) + chunks[1][4:]
    changed('early-end', 'damaged-file', made.file(chunks=[chunks[0], early]), 'a chunk that claims to be the last')
    changed('behind-end', 'damaged-file', whole + b'\0', 'a byte behind the last chunk')
    changed('large-chunk', 'damaged-file', made.header + struct.pack('>I', 262145) + bytes(100),
            'a chunk that claims 262,145 bytes')
    changed('foreign-chunk', 'damaged-file', made.file(chunks=[*chunks[:2], *other.chunks[2:]]),
            'chunks of another export under the same password')
    changed('header', 'damaged-file', made.file(header=made.start[:9] + b'\xff' + made.header[10:]),
            'a header whose SHA-256 is not right')
    changed('header-only', 'damaged-file', made.header, 'a header without chunks')
    changed('header-cut', 'damaged-file', made.header[:40], 'a part of a header')
    for name, cost in {'n': (18, 8, 1), 'n-low': (9, 8, 1), 'r': (10, 9, 1), 'r-0': (10, 0, 1), 'p': (10, 8, 2)}.items():
        changed(f'cost-{name}', 'damaged-file', made.file(header=with_checksum(made.start[:6] + bytes(cost) + made.start[9:])),
                f'a cost of {cost[0]}, {cost[1]}, {cost[2]}')
    changed('check', 'wrong-password', made.file(header=with_checksum(made.start[:25] + bytes(16))),
            'a right SHA-256 with another check')
    changed('password', 'wrong-password', whole, 'is given with another password', password + ' ')
    changed('version', 'wrong-content', made.file(header=with_checksum(b'RKADB\2' + made.start[6:])), 'begins with RKADB 2')
    changed('zip', 'wrong-content', zip_of([Entry('manifest.json', b'{}')]) * 3, 'an archive in place of an export')
    for name, code, content, about_it in [
        ('no-gzip', 'damaged-file', values, 'a database that was not packed'),
        ('gzip-cut', 'damaged-file', packed(values)[:-100], 'a gzip stream without its end'),
        ('text', 'wrong-content', packed(b'hello'), 'a text in place of a database'),
        ('torn', 'wrong-content', packed(bytes(torn)), 'a database with damaged pages'),
        ('bomb', 'wrong-content', packed(grown), 'a database that is larger than it says'),
    ]:
        changed(name, code, Export(content, password).file(), about_it)


os.makedirs(room_folder, exist_ok=True)
for each in os.listdir(room_folder):
    os.remove(os.path.join(room_folder, each))
make_good()
make_refused_backups()
make_refused_exports()
with open(os.path.join(folder, 'vectors.json'), 'w', encoding='utf-8') as out:
    json.dump(index, out, ensure_ascii=False, indent=2)
    out.write('\n')
print(f'{len(index)} vectors, {sum(each["size"] for each in index)} bytes')
