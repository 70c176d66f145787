/** Labels of project rooms: how they look, how they are chosen, and which there are. */
import { onDemand } from '#ui/on-demand.tsx'

export { LabelChip, LabelLinks } from './LabelChip.tsx'
export { labelsQuery } from './queries.ts'

export const LabelsInput = onDemand(() => import('./LabelsInput.tsx'), 'LabelsInput')
export const LabelsField = onDemand(() => import('./LabelsField.tsx'), 'LabelsField')
