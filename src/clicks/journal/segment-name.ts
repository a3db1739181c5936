/** Which process wrote a segment, and its position among that process's segments. */
export interface SegmentName {
  readonly node: string;
  readonly writer: number;
  /** Never reused on a node: node, writer, epoch and sequence number identify a click. */
  readonly epoch: number;
  readonly segment: number;
}

const NODE = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const FILE_NAME = /^(.+)-(\d{3,})-(\d{10,})-(\d{8,})\.log$/;

/** The numbers are padded so the names of one process sort in the order of writing. */
export function formatSegmentName({ node, writer, epoch, segment }: SegmentName): string {
  return `${node}-${pad(writer, 3)}-${pad(epoch, 10)}-${pad(segment, 8)}.log`;
}

/** Returns nothing for a file that isn't a segment. */
export function findSegmentName(fileName: string): SegmentName | undefined {
  const [, node, writer, epoch, segment] = FILE_NAME.exec(fileName) ?? [];
  if (node === undefined || !isNodeName(node)) return undefined;
  const name = { node, writer: Number(writer), epoch: Number(epoch), segment: Number(segment) };
  return formatSegmentName(name) === fileName ? name : undefined;
}

/** Node names are part of file names. */
export const isNodeName = (node: string): boolean => NODE.test(node);

const pad = (value: number, digits: number): string => String(value).padStart(digits, "0");
