/** Labels of project rooms: free words, by which rooms are found. */
import { z } from 'zod'
import { coded } from './field-errors.ts'
import { asLine } from './plain-text.ts'
import { projectRoom } from './rooms.ts'
import type { Route } from './route.ts'
import { labelColours } from './wire-codes.ts'

export const labelsAtMost = 20
const longestLabel = 40

const labelText = z
  .string({ error: coded('label-missing') })
  .overwrite(asLine)
  .trim()
  .min(1, coded('label-missing'))
  .max(longestLabel, coded('at-most-characters', { max: longestLabel }))
  // These separate labels where several are in one text.
  .regex(/^[^,|]*$/, coded('label-invalid'))

/** Case does not matter, as in filters. */
export function isSameLabel(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}

/** Of labels that differ only in case, the first is kept. A long list is refused before its labels are compared. */
export const labelList = z
  .array(labelText)
  .max(labelsAtMost, { error: coded('labels-too-many', { max: labelsAtMost }), abort: true })
  .overwrite((labels) =>
    labels.filter((each, index) => labels.findIndex((other) => isSameLabel(each, other)) === index),
  )

export const label = z.object({
  /** In the spelling that most rooms have. */
  label: z.string(),
  /** Follows from the label alone, by `colourOfLabel` of the rules. */
  colour: z.enum(labelColours),
  /** How many project rooms have it, regardless of case. */
  count: z.int(),
})
export type Label = z.output<typeof label>

export const labelRoutes = {
  labels: {
    method: 'GET',
    path: '/api/operator/labels',
    access: 'all',
    summary: 'The labels that project rooms have, the most frequent first; at most 1,000.',
    answers: { 200: z.array(label) },
  },
  labelRoom: {
    method: 'PUT',
    path: '/api/operator/room/labels',
    access: 'admin',
    summary: 'Gives a project room these labels and no others, or adds and removes some, in any state.',
    body: z
      .object({
        projectRoom: z.string().max(64),
        labels: labelList.optional(),
        /** Instead of all labels: what others have changed meanwhile stays. One that is in both is added. */
        add: labelList.optional(),
        remove: labelList.optional(),
      })
      .refine(({ labels, add, remove }) => (labels === undefined) !== (add === undefined && remove === undefined), {
        error: coded('labels-or-change'),
        path: ['labels'],
      }),
    refuses: ['room-unknown'],
    answers: { 200: projectRoom },
  },
} as const satisfies Record<string, Route>
