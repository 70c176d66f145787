/**
 * Translates what is written for a container into what holds on this machine: each container has an address of its own
 * within 127.0.0.0/8, so ports stay as they are; its volumes are folders.
 */
import { randomInt } from 'node:crypto'
import { join } from 'node:path'
import { besideComposeFile, type ComposeService } from './compose-file.ts'

export interface Loopback {
  addressOf(service: string): string
  /** Where a container's volume, or the file that it sees, is. */
  pathOf(service: ComposeService, source: string): string
  /** A command's argument, a setting or a line of a file, as it is for this service here. */
  translate(service: ComposeService, text: string): string
}

/** @param dir gets the volumes and the translated files @param secrets stands for `secrets/` */
export function onLoopback(services: readonly ComposeService[], dir: string, secrets: string): Loopback {
  const net = `127.${randomInt(1, 255)}.${randomInt(0, 255)}`
  const names = services.map(({ name }) => name)
  const addressOf = (name: string) => {
    const index = names.indexOf(name)
    if (index === -1) throw new Error(`The compose file has no service ${name}.`)
    return `${net}.${10 + index}`
  }
  const pathOf = ({ name }: ComposeService, source: string) => {
    if (!source.startsWith('./')) return join(dir, 'volumes', source)
    return source.startsWith('./secrets/') ? besideComposeFile(source, secrets) : join(dir, 'files', name, source)
  }
  const fixedAddresses = new Map(
    services.flatMap(({ name, networks }) => Object.values(networks).map((address) => [address, name] as const)),
  )
  // A name alone may mean something else, as the scheme or the user of a URL.
  const named = new RegExp(`(?<![\\w.-])(${names.join('|')})(?=:\\d)`, 'g')
  return {
    addressOf,
    pathOf,
    translate(service, text) {
      const local = text
        .replaceAll(named, (_, name: string) => addressOf(name))
        .replaceAll(/\b\d+(?:\.\d+){3}\b(?!\/)/g, (address) => {
          const owner = fixedAddresses.get(address)
          return owner === undefined ? address : addressOf(owner)
        })
        .replaceAll(/\b(?:0\.0\.0\.0|127\.0\.0\.1)(?=$|[:/]\d)/gm, addressOf(service.name))
      return service.mounts.reduce(
        (before, { source, target }) =>
          before.replaceAll(new RegExp(`${target.replaceAll('.', '\\.')}(?=$|[/\\s'"])`, 'gm'), () =>
            pathOf(service, source),
          ),
        local,
      )
    },
  }
}
