// The part of postject's interface that is used; the package has no types of its own.
declare module "postject" {
  export function inject(
    file: string,
    resource: string,
    data: Uint8Array,
    options: { readonly sentinelFuse: string; readonly machoSegmentName?: string },
  ): Promise<void>;
}
