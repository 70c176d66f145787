/**
 * What CI may skip, and why: what the kernel of a container may refuse, and what needs another Node than ours. Every
 * other skip fails the run, because `.ci/run` installs all programs that the tests need.
 */

const mounts = 'mounts a small file system, which a container may not be allowed to do'
const namespaces = 'makes namespaces with unshare, which a container may not be allowed to do'
const locks = 'reads /proc/locks, which some kernels of containers do not have'

/** @type {{ file: string, group?: string, because: string }[]} group: only the tests of that describe block */
export const expectedSkips = [
  { file: 'apps/region/test/full-disk.test.ts', because: mounts },
  { file: 'apps/region/test/locks.test.ts', because: locks },
  {
    file: 'apps/cli/test/packed.test.ts',
    group: 'an older Node',
    because: 'runs by the Node of the system, if it is 20 or 22',
  },
  {
    file: 'packages/embedded-postgres-server/src/second-container.test.ts',
    group: 'a second container on the same volume',
    because: namespaces,
  },
  { file: 'apps/server/test/large-uploads.test.ts', group: 'a disk that is full', because: mounts },
  { file: 'apps/server/test/life/full-disk.test.ts', because: mounts },
]
