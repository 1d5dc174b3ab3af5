//! The catalogue itself: one entry a log, to be read and corrected by hand.
//!
//! Where it comes from. Sizes, cuts, acknowledgements and time zones: the header of each log. Jobs, shares and hashes: counted and
//! computed on the files, as distributed where a file is named. Archive pages: those of ANL-Intrepid, SDSC-Par and OSC, and the list of
//! sources of Feitelson's book on workload modelling (2015), were read for addresses and for what is known of logs that we do not have.
//! Sizes that papers disagree on: the papers. Nothing is copied but names, numbers and addresses.
//!
//! Not for: what is done with it ([`super`]).

use super::{Cut, KnownFile, KnownLog};

/// Asked of whoever publishes from any log of the archive.
const ARCHIVE_TERMS: &str =
    "no licence in the header; the archive asks users to acknowledge the contributor of the log, and the archive";
const SDSC_TERMS: &str = "education, research and other non-profit use; keep the header with its copyright notice in every copy, name the source (Regents of the University of California)";
const NO_TERMS: &str = "no terms stated at the source: ask before you publish the log itself";

const ARCHIVE: KnownLog = KnownLog {
    name: "",
    system: "",
    processors: 0,
    jobs: None,
    jobs_before_cleaning: None,
    file: None,
    cuts: &[],
    traps: &[],
    acknowledge: "",
    cite: Some(
        "D. G. Feitelson, D. Tsafrir, D. Krakov: Experience with using the Parallel Workloads Archive. J. Parallel and Distributed Computing 74(10), 2014",
    ),
    terms: ARCHIVE_TERMS,
    kept_at: "https://www.cs.huji.ac.il/labs/parallel/workload/",
};

const ELSEWHERE: KnownLog = KnownLog { cite: None, terms: NO_TERMS, ..ARCHIVE };

/// Every log there is something to say about, those of the archive first.
pub(super) const LOGS: &[KnownLog] = &[
    KnownLog {
        name: "KTH-SP2-1996-2.1-cln",
        system: "IBM SP2, Royal Institute of Technology (KTH), Stockholm",
        processors: 100,
        jobs: Some(28_476),
        jobs_before_cleaning: Some(28_490),
        file: Some(KnownFile {
            packed_sha256: Some("3e152f201fd2e96808a735bced6ea6eb0bb07fdc447689cafb0750d87b264c0b"),
            content_bytes: 2_620_495,
            content_sha256: "fba36494c4e4257f72182e8b629ebb0bcb054b3b82851ef957445bd627adcc87",
        }),
        cuts: &[Cut { what: "jobs 1 to 14", jobs: 14 }],
        traps: &[
            "1.7 % of the jobs with a requested time ran longer than it: a replay has to cut them or let them run on",
            "executables are unknown, so criteria and templates cannot use them",
        ],
        acknowledge: "Lars Malinowsky",
        kept_at: "https://www.cs.huji.ac.il/labs/parallel/workload/l_kth_sp2/",
        ..ARCHIVE
    },
    KnownLog {
        name: "KTH-SP2-1996-2",
        system: "IBM SP2, Royal Institute of Technology (KTH), Stockholm",
        processors: 100,
        jobs: Some(28_489),
        file: Some(KnownFile {
            packed_sha256: None,
            content_bytes: 2_621_562,
            content_sha256: "df76b94e5f670db52179688a98deec3e1887d10adb39f96c900b8e92abb386ab",
        }),
        traps: &[
            "not cleaned: contains the 14 jobs of the first week, which the cleaned log leaves out",
            "the header counts 28,490 jobs, the file has 28,489: job 27313 is missing in every copy seen",
            "executables are unknown, so criteria and templates cannot use them",
        ],
        acknowledge: "Lars Malinowsky",
        kept_at: "https://www.cs.huji.ac.il/labs/parallel/workload/l_kth_sp2/",
        ..ARCHIVE
    },
    KnownLog {
        name: "CTC-SP2-1996-3.1-cln",
        system: "IBM SP2, Cornell Theory Center (CTC)",
        processors: 338,
        jobs: Some(77_222),
        jobs_before_cleaning: Some(79_302),
        file: Some(KnownFile {
            packed_sha256: Some("9fa28ac16c4386fb81b72a91d8bd8888281df2948a9d912769d387c5ee285bb4"),
            content_bytes: 7_167_987,
            content_sha256: "8e33a9b597e1ddda2d2164347bac08c9444e1a2620a7947df52f0a1622ec4cde",
        }),
        cuts: &[Cut { what: "user 135, jobs 47421 to 50307", jobs: 2_080 }],
        traps: &[
            "papers simulate 338, 430 or 512 processors: with 512 the mean bounded slowdown under EASY is a tenth of what it is with 338. State the number of processors with every result",
            "338 are the batch nodes of 512; the widest job has 336",
            "requested processors are missing throughout: those allocated count",
            "9.3 % of the jobs with a requested time ran longer than it: a replay has to cut them or let them run on",
            "the executable number is known; the script and the class, which Smith et al. used, are missing",
        ],
        acknowledge: "Dan Dwyer and Steve Hotovy",
        kept_at: "https://www.cs.huji.ac.il/labs/parallel/workload/l_ctc_sp2/",
        ..ARCHIVE
    },
    KnownLog {
        name: "SDSC-SP2-1998-4.2-cln",
        system: "IBM SP2, San Diego Supercomputer Center (SDSC)",
        processors: 128,
        jobs: Some(59_715),
        jobs_before_cleaning: Some(73_496),
        file: Some(KnownFile {
            packed_sha256: Some("e03fe48be50c4ab04d6bb2285296d9c3399e9c1f27ee79b754ad32a14abd9bac"),
            content_bytes: 5_601_165,
            content_sha256: "2bb635f4b5793f52bd49ccb8fd913d95f9c5be6346925162cadcaf0117e28cf2",
        }),
        cuts: &[
            Cut { what: "user 21, jobs 13717 to 16207", jobs: 944 },
            Cut { what: "user 374, jobs 14969 to 28552", jobs: 11_740 },
            Cut { what: "user 197, jobs 31767 to 33202", jobs: 635 },
            Cut { what: "user 328, jobs 66553 to 68106", jobs: 452 },
            Cut { what: "jobs 1 to 10", jobs: 10 },
        ],
        traps: &[
            "the run time of 9.5 % of the jobs is not known: all of them were cancelled",
            "executable numbers are nearly unique, so they do not identify similar jobs",
            "6.9 % of the jobs with a requested time ran longer than it: a replay has to cut them or let them run on",
        ],
        acknowledge: "Victor Hazlewood",
        terms: SDSC_TERMS,
        ..ARCHIVE
    },
    KnownLog {
        name: "SDSC-BLUE-2000-4.2-cln",
        system: "IBM SP Blue Horizon, San Diego Supercomputer Center (SDSC)",
        processors: 1_152,
        jobs: Some(243_306),
        jobs_before_cleaning: Some(250_440),
        file: Some(KnownFile {
            packed_sha256: Some("9aab21f3cfa108f3ecefa52391b384d996dcf4216f920186f47a734646b2c658"),
            content_bytes: 22_531_816,
            content_sha256: "13892839f430583231a14bb811fd50a31b5b529eb37faacdbbefb71e73390e3e",
        }),
        cuts: &[
            Cut { what: "user 68, jobs 58 to 564", jobs: 477 },
            Cut { what: "user 342, jobs 88202 to 91148", jobs: 1_468 },
            Cut { what: "user 269, jobs 200425 to 217010", jobs: 5_181 },
            Cut { what: "jobs 1 to 8", jobs: 8 },
        ],
        traps: &[
            "Kumar and Vadhiyar have 1,024 processors, the other papers 1,152",
            "nodes have eight processors and were given whole: every allocation is a multiple of eight",
            "the run time of 4.4 % and the processors of 8.0 % of the jobs are not known: those were cancelled",
            "9.6 % of the jobs with a requested time ran longer than it: a replay has to cut them or let them run on",
            "executables are unknown, so criteria and templates cannot use them",
        ],
        acknowledge: "Travis Earheart and Nancy Wilkins-Diehr",
        ..ARCHIVE
    },
    KnownLog {
        name: "HPC2N-2002-2.2-cln",
        system: "Linux cluster Seth, High Performance Computing Center North (HPC2N), Sweden",
        processors: 240,
        jobs: Some(202_871),
        jobs_before_cleaning: Some(527_371),
        file: Some(KnownFile {
            packed_sha256: Some("3c534857d6065cfd9cc35aac8d064c9c17172be7acf336de835006f43a626e64"),
            content_bytes: 19_242_100,
            content_sha256: "77b8993c73ae438385f6c0015708251f52dc316267b03ac19a406fbea2802afa",
        }),
        cuts: &[
            Cut { what: "user 2", jobs: 305_178 },
            Cut { what: "user 60, jobs 254200 to 271542", jobs: 12_333 },
            Cut { what: "user 67, jobs 289098 to 305172", jobs: 6_984 },
            Cut { what: "jobs 1 to 10", jobs: 5 },
        ],
        traps: &[
            "more than half of the original log was one user",
            "7.3 % of the jobs with a requested time ran longer than it: a replay has to cut them or let them run on",
            "executables are unknown, so criteria and templates cannot use them",
        ],
        acknowledge: "Åke Sandgren",
        ..ARCHIVE
    },
    KnownLog {
        name: "LANL-CM5-1994-4.1-cln",
        system: "Thinking Machines CM-5, Los Alamos National Laboratory (LANL)",
        processors: 1_024,
        jobs: Some(122_060),
        jobs_before_cleaning: Some(201_387),
        file: Some(KnownFile {
            packed_sha256: Some("71ff3dfa301b3ee1bd30ebc63c5363b5e8ec488e75f1f9398aa46d485ef23c3c"),
            content_bytes: 11_354_840,
            content_sha256: "4766a62dabcc7403ec0a55534aff297203e692ddbf6637bd40100a3800f6354a",
        }),
        cuts: &[
            Cut { what: "user 50, jobs 24439 to 64542", jobs: 33_452 },
            Cut { what: "user 31, jobs 64587 to 115040", jobs: 34_307 },
            Cut { what: "user 38, jobs 178585 to 192710", jobs: 11_568 },
        ],
        traps: &[
            "processors come in 32, 64, 128, 256, 512 and 1,024 only",
            "many jobs, small ones above all, shared their processors",
            "9.2 % of the jobs have no requested time",
            "36.3 % of the jobs with a requested time ran longer than it: a replay has to cut them or let them run on",
        ],
        acknowledge: "Curt Canada",
        kept_at: "https://www.cs.huji.ac.il/labs/parallel/workload/l_lanl_cm5/",
        ..ARCHIVE
    },
    KnownLog {
        name: "SDSC-Par-1996-3.1-cln",
        system: "Intel Paragon, San Diego Supercomputer Center (SDSC)",
        processors: 400,
        jobs: Some(32_135),
        jobs_before_cleaning: Some(38_719),
        file: Some(KnownFile {
            packed_sha256: Some("cb1aab02b5e3c34659d1c1d6f73c002d415229c59f40c03fab4e20331abdaff7"),
            content_bytes: 2_958_414,
            content_sha256: "fcb46fa6462b7ac460963025749f604f28b2e813101edd082a720842e80a7aa8",
        }),
        cuts: &[
            Cut { what: "user 5, between 3 and 4 o'clock", jobs: 5_301 },
            Cut { what: "user 23, jobs 3036 to 4676", jobs: 1_283 },
        ],
        traps: &[
            "no requested times: methods that use limits cannot be replayed",
            "400 nodes are 352 of the batch and 48 interactive; 16 more ran no jobs",
            "users have other numbers than in the log of 1995",
            "the header has a time zone of 0 for San Diego: hours of the day are unreliable",
            "the wait of 2.5 % of the jobs is not known",
        ],
        acknowledge: "Reagan Moore and Allen Downey",
        kept_at: "https://www.cs.huji.ac.il/labs/parallel/workload/l_sdsc_par/",
        ..ARCHIVE
    },
    KnownLog {
        name: "CEA-Curie-2011-2.1-cln",
        system: "Bull Curie, CEA, France",
        processors: 93_312,
        jobs: Some(312_826),
        jobs_before_cleaning: Some(773_138),
        file: Some(KnownFile {
            packed_sha256: Some("2a0fdbd40837590b491bbbac7d4cfe521de1f0b14c0dc39bbf82c4e49ea75bce"),
            content_bytes: 29_099_943,
            content_sha256: "b732a04aea71e2f154c8feee580be549d0bba1462bc91ec581944cb3dd6d442d",
        }),
        cuts: &[
            Cut { what: "submitted before 3 February 2012", jobs: 272_392 },
            Cut { what: "user 204, jobs 274118 to 303564", jobs: 28_878 },
            Cut { what: "user 288, jobs 372153 to 593820", jobs: 118_014 },
            Cut { what: "user 553, jobs 542320 to 587600", jobs: 37_905 },
            Cut { what: "user 4, jobs 518258 to 600524", jobs: 3_123 },
        ],
        traps: &[
            "the cleaned log begins 366 days after the origin of its times",
            "93,312 processors are 80,640 thin, 11,520 fat and 1,152 hybrid ones; a note of the header says that the hybrid ones are not counted, but they are",
            "requested processors are missing for 27 % of the jobs",
            "1.7 % of the jobs with a requested time ran longer than it: a replay has to cut them or let them run on",
            "executables are unknown, so criteria and templates cannot use them",
        ],
        acknowledge: "Joseph Emeras, CEA/CNRS",
        ..ARCHIVE
    },
    KnownLog {
        name: "UniLu-Gaia-2014-1",
        system: "Bull and Dell cluster Gaia, University of Luxembourg",
        processors: 2_004,
        jobs: Some(51_987),
        file: Some(KnownFile {
            packed_sha256: None,
            content_bytes: 3_550_378,
            content_sha256: "e4587af1ae104f023b49b7f6adcd1c5c1d3be42551848f71962dd2c1d49a78c0",
        }),
        traps: &[
            "not cleaned, and the first release: the archive has a second one, UniLu-Gaia-2014-2",
            "2.9 % of the jobs with a requested time ran longer than it: a replay has to cut them or let them run on",
        ],
        acknowledge: "Joseph Emeras, SnT",
        ..ARCHIVE
    },
    KnownLog {
        name: "LLNL-Thunder-2007-1.1-cln",
        system: "Linux cluster Thunder, Lawrence Livermore National Laboratory (LLNL)",
        processors: 4_008,
        jobs: Some(121_039),
        jobs_before_cleaning: Some(128_662),
        file: Some(KnownFile {
            packed_sha256: Some("00d9bce501efd3a23cd0713bbae591516b7a69217d5f4b851725f601f3b75247"),
            content_bytes: 11_267_879,
            content_sha256: "aad5a3120a6adf0342d46fb4830e022121cdfbd3de9ecdd9cf10145b8864b6a5",
        }),
        cuts: &[
            Cut { what: "user 160, jobs 19280 to 19452", jobs: 173 },
            Cut { what: "user 79, jobs 47410 to 58079", jobs: 6_539 },
            Cut { what: "user 40, jobs 109911 to 110857", jobs: 911 },
        ],
        traps: &[
            "no waits: wait-time forecasts can be scored only with a simulated policy",
            "1 % of the jobs have no submission",
            "requested times are known for 31.9 % of the jobs only",
            "2.9 % of the jobs with a requested time ran longer than it: a replay has to cut them or let them run on",
        ],
        acknowledge: "Moe Jette, LLNL",
        ..ARCHIVE
    },
    KnownLog {
        name: "LLNL-Atlas-2006-2.1-cln",
        system: "Linux cluster Atlas, Lawrence Livermore National Laboratory (LLNL)",
        processors: 9_216,
        jobs: Some(43_778),
        jobs_before_cleaning: Some(60_332),
        file: Some(KnownFile {
            packed_sha256: Some("48cc83b7a0490252aa1ae41a4b03dd598bc0683e146be94047febee36e7e0b36"),
            content_bytes: 4_059_977,
            content_sha256: "8b3aaab739fa0bda8abaccc37c207d0b19d9d147b19e7f47a1641133a56fd07f",
        }),
        cuts: &[
            Cut { what: "submitted before 18 December 2006", jobs: 1_434 },
            Cut { what: "user 4, jobs 3874 to 5925", jobs: 2_038 },
            Cut { what: "user 28, jobs 20617 to 21531", jobs: 887 },
            Cut { what: "user 7, jobs 21548 to 22294", jobs: 709 },
            Cut { what: "user 19, jobs 40339 to 51897", jobs: 6_783 },
            Cut { what: "user 66, jobs 22439 to 56101", jobs: 4_703 },
        ],
        traps: &[
            "no waits: wait-time forecasts can be scored only with a simulated policy",
            "the header has a time zone an hour ahead of UTC for California",
            "processors are missing for 10.5 % and requested times for 18.8 % of the jobs",
            "9.4 % of the jobs with a requested time ran longer than it: a replay has to cut them or let them run on",
        ],
        acknowledge: "Moe Jette, LLNL",
        ..ARCHIVE
    },
    KnownLog {
        name: "RICC-2010-2",
        system: "Fujitsu RX200S5 cluster, RIKEN Integrated Cluster of Clusters",
        processors: 8_192,
        jobs: Some(447_794),
        file: Some(KnownFile {
            packed_sha256: Some("38b7c5c9843d9a9f3d61a2d8b927f6d39b68b368fb713886b5f2ce3499f2ec82"),
            content_bytes: 42_432_598,
            content_sha256: "986a2a12df85adc3c2a2eb80a31b4ff9a056b92637526ee53fb70637b1bf0518",
        }),
        traps: &[
            "not cleaned: contains flurries",
            "1.6 % of the jobs with a requested time ran longer than it: a replay has to cut them or let them run on",
            "executables are unknown, so criteria and templates cannot use them",
        ],
        acknowledge: "Motoyoshi Kurokawa, RIKEN, ACCC",
        ..ARCHIVE
    },
    KnownLog {
        name: "SDSC-DS-2004-2.1-cln",
        system: "IBM p655/p690 DataStar, San Diego Supercomputer Center (SDSC)",
        processors: 1_664,
        jobs: Some(96_069),
        jobs_before_cleaning: Some(96_089),
        file: Some(KnownFile {
            packed_sha256: Some("0ddb885a96a7f5ee9009d8a36ef350b1d1c451044c205811938995aac80fcc36"),
            content_bytes: 8_856_328,
            content_sha256: "76814a412fa415e68ffb8cc0ae801c870988e5577e60275588050332f6b1e690",
        }),
        cuts: &[Cut { what: "jobs 1 to 20", jobs: 20 }],
        traps: &[
            "1,664 processors are three partitions of different nodes: 72, 1,368 and 224",
            "the run time of 11.5 % of the jobs is not known",
            "executables are known for 30.4 % of the jobs",
            "11.1 % of the jobs with a requested time ran longer than it: a replay has to cut them or let them run on",
        ],
        acknowledge: "Victor Hazlewood",
        terms: SDSC_TERMS,
        ..ARCHIVE
    },
    KnownLog {
        name: "Sandia-Ross-2001-1.1-cln",
        system: "Compaq cluster CPlant/Ross, Sandia National Laboratories",
        processors: 1_524,
        jobs: Some(57_882),
        jobs_before_cleaning: Some(85_355),
        file: Some(KnownFile {
            packed_sha256: Some("08b390c160c41c5d3a70d66c48884b5bb68aa277506988ccdc408913342b38df"),
            content_bytes: 5_375_406,
            content_sha256: "acee6b96aa76f815d9a6a81ee6d3e3026f462b6e0c340f9f4ef465e05b3c22b3",
        }),
        cuts: &[
            Cut { what: "user 38, jobs 5844 to 9471 and 34043 to 36016", jobs: 2_593 },
            Cut { what: "user 84, jobs 10179 to 24055 and 25399 to 29184", jobs: 10_600 },
            Cut { what: "user 175, jobs 50167 to 70467", jobs: 14_280 },
        ],
        traps: &[
            "6.4 % of the jobs with a requested time ran longer than it: a replay has to cut them or let them run on",
        ],
        acknowledge: "Jon Stearley",
        ..ARCHIVE
    },
    KnownLog {
        name: "OSC-Clust-2000-3.1-cln",
        system: "Linux cluster, Ohio Supercomputer Center (OSC)",
        processors: 178,
        jobs: Some(36_097),
        jobs_before_cleaning: Some(80_714),
        file: Some(KnownFile {
            packed_sha256: Some("f2d762130a55ab26cfedc37a9f4ab55923dd07bf185912ded67628f14dbf09ab"),
            content_bytes: 3_321_819,
            content_sha256: "0ed54b81ccb10b11fbead557af8a37dd135e07e27756f1016c80ebceb7c8f79a",
        }),
        cuts: &[Cut { what: "user 174", jobs: 44_617 }],
        traps: &[
            "no requested times: methods that use limits cannot be replayed",
            "nodes with four and with two processors: 32 and 25 of them",
            "executables are unknown, so criteria and templates cannot use them",
        ],
        acknowledge: "SuperCluster HPC Workload/Resource Trace Repository",
        kept_at: "https://www.cs.huji.ac.il/labs/parallel/workload/l_osc/",
        ..ARCHIVE
    },
    KnownLog {
        name: "NASA-iPSC-1993-3.1-cln",
        system: "Intel iPSC/860, NASA Ames Research Center",
        processors: 128,
        jobs: Some(18_239),
        jobs_before_cleaning: Some(42_264),
        file: Some(KnownFile {
            packed_sha256: Some("5589ae9b2fb78e3bf92de097497cf33a91607de1ad54563e43533f7827597f29"),
            content_bytes: 1_678_956,
            content_sha256: "9d997a2c20a7f7b0b6d81638d756ce8b2c524c4f2e9ec78da36001743ca33d76",
        }),
        cuts: &[Cut { what: "user 3, application 1 on one processor", jobs: 24_025 }],
        traps: &[
            "no waits, and the submission is the start",
            "no requested times: methods that use limits cannot be replayed",
        ],
        acknowledge: "Bill Nitzberg",
        kept_at: "https://www.cs.huji.ac.il/labs/parallel/workload/l_nasa_ipsc/",
        ..ARCHIVE
    },
    KnownLog {
        name: "ANL-Intrepid-2009-1",
        system: "IBM Blue Gene/P Intrepid, Argonne Leadership Computing Facility (ALCF)",
        processors: 163_840,
        jobs: Some(68_936),
        traps: &["partitions have a least size: 256 processors, and 2,048 on most of the machine"],
        acknowledge: "Susan Coghlan, Narayan Desai and Wei Tang",
        cite: Some(
            "W. Tang, Z. Lan, N. Desai, D. Buettner, Y. Yu: Reducing fragmentation on torus-connected supercomputers. IPDPS 2011, pp. 828-839",
        ),
        kept_at: "https://www.cs.huji.ac.il/labs/parallel/workload/l_anl_int/",
        ..ARCHIVE
    },
    KnownLog {
        name: "SDSC-Par-1995-3.1-cln",
        system: "Intel Paragon, San Diego Supercomputer Center (SDSC)",
        processors: 400,
        traps: &[
            "no requested times: methods that use limits cannot be replayed",
            "users have other numbers than in the log of 1996",
        ],
        acknowledge: "Reagan Moore and Allen Downey",
        kept_at: "https://www.cs.huji.ac.il/labs/parallel/workload/l_sdsc_par/",
        ..ARCHIVE
    },
    KnownLog {
        name: "DOST-ASTI_COARE-Saliksik-2020-cln",
        system: "COARE Saliksik cluster, DOST-ASTI, Philippines",
        processors: 1_728,
        jobs: Some(19_760),
        file: Some(KnownFile {
            packed_sha256: Some("aa1b66b2274b7dc3b76f56d897c20b1af608ee63a6f4b6d311739ada27e952e2"),
            content_bytes: 1_216_869,
            content_sha256: "5e41710a8242920b73456ae2b98e2a189833a8b6fb05da41acb254c888cd6da1",
        }),
        traps: &[
            "not of the archive",
            "the authors left out the first 1 % of the jobs and all jobs without a limit; the number of these jobs is unknown",
            "job numbers are not in the order of submission",
            "7.0 % of the jobs with a requested time ran longer than it: a replay has to cut them or let them run on",
        ],
        acknowledge: "J. C. Rubio and A. M. Villapando, DOST-ASTI",
        kept_at: "https://github.com/erangvee/slurm_sim_vanilla",
        ..ELSEWHERE
    },
    KnownLog {
        name: "IU-Mason-2017Q4-derived",
        system: "Mason large-memory cluster, Indiana University",
        processors: 576,
        jobs: Some(16_221),
        file: Some(KnownFile {
            packed_sha256: Some("4b0748f880ff5478395e3a5eab96133ce058d63fe9666a10ce13bddfa6802ddc"),
            content_bytes: 1_173_155,
            content_sha256: "398b24324c33e2e606f66fb9b62265f883cbbb11f4aa3c46566413c426149cd1",
        }),
        traps: &[
            "not of the archive; made from accounting of PBS for this project",
            "576 processors are inferred: 18 hosts of 32 slots. At most 575 were in use at once",
            "jobs deleted before they started are not in it",
            "some waits are weeks: jobs that were held, or waited for others",
            "2.4 % of the jobs with a requested time ran longer than it: a replay has to cut them or let them run on",
        ],
        acknowledge: "no contributor is named",
        kept_at: "https://github.com/vanavreddy/HPC-Job-Data",
        ..ELSEWHERE
    },
    KnownLog {
        name: "CERIT-SC-wagap-2013-derived",
        system: "zewura and zegox, CERIT-SC / MetaCentrum, Czech Republic",
        processors: 2_176,
        jobs: Some(17_900),
        file: Some(KnownFile {
            packed_sha256: Some("892a6bcda5d5cadabde1e8c69013c536629509320ee790efeb86f730f5a7aea2"),
            content_bytes: 1_246_722,
            content_sha256: "8e9a4aec18caae8908c370eb055d3e907702bef287226e4533af386d0dbfe42c",
        }),
        traps: &[
            "not of the archive; fields put right for this project",
            "two kinds of nodes: 20 with 80 processors, 48 with 12",
            "every job is marked as completed, so the status is meaningless",
            "3.9 % of the jobs with a requested time ran longer than it: a replay has to cut them or let them run on",
        ],
        acknowledge: "Dalibor Klusáček, for the Alea simulator",
        kept_at: "https://github.com/aleasimulator/alea",
        ..ELSEWHERE
    },
    KnownLog {
        name: "ALCF-Mira-2018H2-derived",
        system: "IBM Blue Gene/Q Mira, Argonne Leadership Computing Facility (ALCF)",
        processors: 49_152,
        jobs: Some(22_508),
        file: Some(KnownFile {
            packed_sha256: Some("de1dae13d5aa0b101d38568da0c8e7033500cdbf95a0ac49cabc713a27c08683"),
            content_bytes: 1_597_384,
            content_sha256: "ae38f0ada28f07ad1d6fb4d4b42dd8fe192d35c430fbe946b56731552d1050e9",
        }),
        traps: &[
            "not of the archive; an extract by a third party",
            "processors are nodes",
            "18.9 % of the jobs with a requested time ran longer than it: a replay has to cut them or let them run on",
        ],
        acknowledge: "ALCF, whose public job logs these are",
        kept_at: "https://github.com/thembow/backfil-rlscheduler-pytorch",
        ..ELSEWHERE
    },
    KnownLog {
        name: "ALCF-Theta-2022-derived",
        system: "Cray XC40 Theta, Argonne Leadership Computing Facility (ALCF)",
        processors: 4_360,
        jobs: Some(23_911),
        file: Some(KnownFile {
            packed_sha256: Some("4df25dba15cc04c2609d4800e6b1a4cfe681570c18b9835b0a73f79d2b3de9ad"),
            content_bytes: 1_707_415,
            content_sha256: "17f8e207f474f743ea52d56b8eb793c1c807debf0561a1e8476cf8c2f15511ce",
        }),
        traps: &[
            "not of the archive; an extract by a third party, possibly not of all jobs",
            "processors are nodes",
            "users are not known",
        ],
        acknowledge: "ALCF, whose public job logs these are",
        kept_at: "https://github.com/mochiiten9158/cqsimplus",
        ..ELSEWHERE
    },
    KnownLog {
        name: "ALCF-Theta-2023JanJul-derived",
        system: "Cray XC40 Theta, Argonne Leadership Computing Facility (ALCF)",
        processors: 4_392,
        jobs: Some(23_387),
        file: Some(KnownFile {
            packed_sha256: Some("64bb7d2ae84bec83920ec0d030d72b7da91c8e06cf459211ba03bb17b96b8c7f"),
            content_bytes: 1_598_912,
            content_sha256: "647f01311e8eddb26f539cb8643a88f8682890e70887c98b1e027bbc60592dd3",
        }),
        traps: &[
            "not of the archive; an extract by a third party",
            "processors are nodes",
            "users are known for 56.4 % of the jobs",
        ],
        acknowledge: "ALCF, whose public job logs these are",
        kept_at: "https://github.com/thembow/backfil-rlscheduler-pytorch",
        ..ELSEWHERE
    },
    KnownLog {
        name: "ALCF-Theta-2023FebDec-derived",
        system: "Cray XC40 Theta, Argonne Leadership Computing Facility (ALCF)",
        processors: 4_360,
        jobs: Some(26_671),
        file: Some(KnownFile {
            packed_sha256: Some("ebde7fa31455a681193ea0f193240d04ee4879a4d630a756a7604fa512416ae0"),
            content_bytes: 1_846_982,
            content_sha256: "463ed0bcb65c59ad7802fcf7609b8c842b90e92981bb63efcf80875533692898",
        }),
        traps: &[
            "not of the archive; an extract by a third party",
            "processors are nodes",
            "about a third of the jobs of its time are missing: not fit for replaying a queue",
        ],
        acknowledge: "ALCF, whose public job logs these are",
        kept_at: "https://github.com/dadyownes15/rl-hpc-scheduler",
        ..ELSEWHERE
    },
];
