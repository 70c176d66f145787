/** `roomkeeper profiles`: the stored logins, one for each server. */
import { Argument, type Command } from 'commander'
import type { Run } from '#cli.ts'
import { profileName, readLogins, useProfile } from '#connection/stored-login.ts'
import { usageFailure } from '#failure.ts'
import { addListOptions, type ListOptions } from '#output/output-options.ts'
import { printList } from '#output/print-list.ts'
import type { View } from '#output/view.ts'
import type { Terminal } from '#terminal/terminal.ts'

interface Profile {
  profile: string
  url: string
  isCurrent: boolean
}

const profileView: View<Profile> = {
  name: ({ profile }) => profile,
  none: "No login is stored. Run 'roomkeeper login'.",
  fields: ['profile', 'url', 'isCurrent'],
  columns: [
    { title: 'PROFILE', rank: 0, value: ({ profile }) => profile },
    { title: 'SERVER', rank: 2, value: ({ url }) => url },
    {
      title: 'CURRENT',
      rank: 1,
      value: ({ isCurrent }) => isCurrent,
      colour: ({ isCurrent }) => (isCurrent ? 'green' : null),
    },
  ],
}

export function addProfiles(program: Command, run: Run): void {
  const profiles = program.command('profiles').alias('profile').description('Stored logins: one for each server')
  addListOptions(
    profiles.command('list').alias('ls').description('List the stored logins, and which is the current one'),
    profileView.fields,
  )
    .addHelpText('after', '\nExamples:\n  roomkeeper profiles list')
    .action(
      run(async ({ terminal, output }, { limit }: ListOptions) => {
        const { current, profiles } = await readLogins(terminal)
        const rows = Object.entries(profiles).map(([profile, { url }]) => ({
          profile,
          url,
          isCurrent: profile === current,
        }))
        await printList(profileView, rows.slice(0, limit), output)
        warnAboutEnvironment(terminal)
      }),
    )
  profiles
    .command('use')
    .description('Make a stored login the current one: calls without --profile go to its server')
    .addArgument(new Argument('<profile>', "a name from 'roomkeeper profiles list'").argParser(profileName))
    .addHelpText('after', '\nExamples:\n  roomkeeper profiles use staging')
    .action(
      run(async ({ terminal, profile: given }, profile: string) => {
        if (given !== undefined) throw usageFailure('Please name the profile once, without --profile.')
        await useProfile(terminal, profile)
        terminal.note(`The current profile is ${profile}.`, 'green')
        warnAboutEnvironment(terminal)
      }),
    )
}

/** Names the variables of the environment that win over stored logins. */
export function warnAboutEnvironment(terminal: Terminal): void {
  for (const name of ['ROOMKEEPER_URL', 'ROOMKEEPER_TOKEN'])
    if ((terminal.env[name] ?? '') !== '') terminal.say(`${name} is set, and overrides the stored login.`, 'yellow')
}
