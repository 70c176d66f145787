/** The server's settings: safe on power loss, reachable from this machine only, modest in memory. */
import { totalmem } from 'node:os'

const mebibyte = 1024 * 1024

export function serverSettings(port: number, more: Record<string, string>): Record<string, string> {
  return {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    max_connections: '100',
    shared_buffers: `${sharedBuffersMebibytes()}MB`,
    work_mem: `${workMemMebibytes()}MB`,
    maintenance_work_mem: '128MB',
    random_page_cost: '1.1',
    // Compiling a query costs more than it saves for lists of ordinary size.
    jit: 'off',
    // There is no replica. With this level, bulk loads write less.
    wal_level: 'minimal',
    max_wal_senders: '0',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // One file for each day of the week, in the folder `log` beside the data.
    logging_collector: 'on',
    log_filename: 'postgresql-%a.log',
    log_rotation_age: '1d',
    log_rotation_size: '0',
    log_truncate_on_rotation: 'on',
    ...more,
  }
}

/** An eighth of the memory, within limits. */
function sharedBuffersMebibytes(): number {
  return within(128, memoryMebibytes() / 8, 1024)
}

/**
 * What one step of a statement may take. A count of many rows notes on which pages they are, between 2 and 4 MB for
 * 40,000 pages; when that does not fit, it checks all rows of a page, and takes twice as long.
 */
function workMemMebibytes(): number {
  return within(16, memoryMebibytes() / 256, 64)
}

function memoryMebibytes(): number {
  return Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY) / mebibyte
}

function within(least: number, wanted: number, most: number): number {
  return Math.round(Math.min(most, Math.max(least, wanted)))
}
