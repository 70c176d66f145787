/** The settings that administrators make for all regions: the welcome video. */
import { z } from 'zod'
import { coded } from './field-errors.ts'
import type { Route } from './route.ts'
import { ignoring } from './unknown-fields.ts'

/** The address of a video, as one copies it, also says which one it is. */
function identifierIn(typed: string): string {
  const address =
    /^https:\/\/(?:www\.|m\.)?(?:youtu\.be\/|youtube\.com\/(?:watch\?(?:.*&)?v=|embed\/|shorts\/))([\w-]+)/
  return address.exec(typed.trim())?.[1] ?? typed.trim()
}

/** Empty: no video is shown to new users. */
export const cloudConfiguration = z.object({
  youtubeIdentifier: z
    .string()
    .overwrite(identifierIn)
    .max(64, coded('at-most-characters', { max: 64 }))
    .regex(/^[\w-]*$/, coded('video-invalid')),
})
export type CloudConfiguration = z.output<typeof cloudConfiguration>

export const cloudConfigurationRoutes = {
  configuration: {
    method: 'GET',
    path: '/api/operator/configuration',
    access: 'admin',
    summary: 'The settings for all regions.',
    answers: { 200: cloudConfiguration },
  },
  saveConfiguration: {
    method: 'POST',
    path: '/api/operator/configuration',
    access: 'admin',
    summary: 'Changes the settings for all regions.',
    // Some clients send their token here, too.
    body: ignoring(z.object(cloudConfiguration.shape), ['token']),
    answers: { 200: cloudConfiguration },
  },
} as const satisfies Record<string, Route>
